import type { FastifyInstance } from 'fastify'
import { auditFileEndpoint } from '#contracts/audit.ts'
import { accepted } from '#domain/result.ts'
import { requireAdminName } from '#server/features/admin-session/accounts/require-admin-name.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import type { Database } from '@local/postgres'
import { writeAuditFile } from './write-audit-file.ts'

const limit = { name: 'audit-file', max: 30, windowSeconds: 300 }

/** The route that exports the audit log (docs/product.md 6.12). */
export function registerAudit(
  app: FastifyInstance,
  dependencies: { readonly database: Database },
): void {
  serve(app, auditFileEndpoint).with({
    limit: [limit],
    invalid: { code: 'BAD_REQUEST' },
    handle: async (filter, { request }) => {
      const username = await requireAdminName(dependencies, request)
      return accepted(await writeAuditFile(dependencies.database, username, filter))
    },
    present: (file, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.csv"')
        .send(file),
  })
}
