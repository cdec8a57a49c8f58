import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { customerEndpoints } from '#contracts/customers.ts'
import { requireAdminName } from '#server/features/admin-session/accounts/require-admin-name.ts'
import { recordExport } from '#server/features/audit/record-audit.ts'
import type { InvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import type { Database } from '@local/postgres'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { createWorkQueue } from '#server/platform/queue/work-queue.ts'
import { eraseCustomer } from './erase-customer.ts'
import { exportCustomer } from './export-customer.ts'

type Dependencies = {
  readonly database: Database
  readonly stripe: Stripe
  readonly pdfs: InvoicePdfs
  readonly now: () => number
  /** The folder that stores emails as files when no mail server is configured. */
  readonly outboxFolder: string
}

const limit = { name: 'customer-data', max: 30, windowSeconds: 300 }

/** Routes that export and erase the data of a customer (docs/product.md 16.8, 16.9). */
export function registerCustomers(app: FastifyInstance, dependencies: Dependencies): void {
  // An export archive is built in memory, so only one is built at a time.
  const queue = createWorkQueue({ atOnce: 1, waiting: 5, timeoutMs: 60_000 })
  const common = {
    limit: [limit],
    invalid: { code: 'BAD_REQUEST' },
  } as const
  serve(app, customerEndpoints.export).with({
    ...common,
    handle: ({ customerId }, { request }) =>
      queue(async () => {
        const username = await requireAdminName(dependencies, request)
        const exported = await exportCustomer(dependencies, customerId)
        if (exported.ok) {
          const kind = 'customer_exported'
          await recordExport(dependencies.database, { kind, username, customerId })
        }
        return exported
      }),
    present: (archive, reply) =>
      reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="person.zip"')
        .send(Buffer.from(archive)),
  })
  serve(app, customerEndpoints.erase).with({
    ...common,
    handle: async ({ customerId, version, excludedKeys }, { request }) => {
      const byName = await requireAdminName(dependencies, request)
      return eraseCustomer(dependencies, { customerId, version, excludedKeys, byName })
    },
    present: (erased) => ({ ok: true, ...erased }),
  })
}
