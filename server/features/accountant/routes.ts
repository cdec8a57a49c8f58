import type { FastifyInstance } from 'fastify'
import { accountantFileEndpoint, accountantFileName } from '#contracts/accountant-files.ts'
import { checkDateRange } from '#domain/calendar/date-range.ts'
import { accepted, refused } from '#domain/result.ts'
import type Stripe from 'stripe'
import { requireAdminName } from '#server/features/admin-session/accounts/require-admin-name.ts'
import { recordExport } from '#server/features/audit/record-audit.ts'
import { callStripe } from '#server/features/payments/call-stripe.ts'
import type { Database } from '@local/postgres'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { createWorkQueue, type WorkQueue } from '#server/platform/queue/work-queue.ts'
import { openAccountantFile } from './open-accountant-file.ts'
import type { Readable } from 'node:stream'

type Dependencies = {
  readonly database: Database
  readonly stripe: Stripe
}

const limit = { name: 'accountant-file', max: 30, windowSeconds: 300 }

/**
 * The time limit of a download, longer than the longest download on a slow connection. A client that stops reading
 * blocks the queue for at most this time.
 */
const fileTimeoutMs = 600_000

/** Routes that export the shop’s records as CSV files for the accountant (docs/product.md 16.26). */
export function registerAccountant(app: FastifyInstance, dependencies: Dependencies): void {
  const queue = createWorkQueue({ atOnce: 1, waiting: 3, timeoutMs: 20_000 })
  serve(app, accountantFileEndpoint).with({
    limit: [limit],
    invalid: { code: 'BAD_REQUEST' },
    handle: async ({ kind, ...days }, { request, reply }) => {
      const checked = checkDateRange(days)
      if (!checked.ok) return refused({ code: 'BAD_RANGE', message: checked.refusal.message })
      const range = checked.value
      const signal = AbortSignal.timeout(fileTimeoutMs)
      return callStripe({ otherwise: 'INVOICES_UNREADABLE' }, async () => {
        const file = await streamFromQueue(queue, () =>
          openAccountantFile(dependencies, kind, { range, signal }),
        )
        // If the client disconnected while the request waited in the queue, the export stops, because nobody reads the
        // file.
        if (reply.raw.destroyed) file?.destroy()
        await recordExport(dependencies.database, {
          kind: 'files_exported',
          username: await requireAdminName(dependencies, request),
          detail: `${kind}, ${range.from} to ${range.to}`,
        })
        return accepted({ file, name: accountantFileName(kind, range) })
      })
    },
    present: ({ file, name }, reply) =>
      file
        ? reply
            .type('text/csv; charset=utf-8')
            .header('content-disposition', `attachment; filename="${name}"`)
            .send(file)
        : reply.code(204).send(),
  })
}

/**
 * Runs a stream as a task of a work queue. The task ends when the stream closes, even if the client does not read the
 * stream to the end.
 */
function streamFromQueue(
  queue: WorkQueue,
  open: () => Promise<Readable | undefined>,
): Promise<Readable | undefined> {
  return new Promise((resolve, reject) => {
    queue(async () => {
      const stream = await open()
      resolve(stream)
      await new Promise((closed) => (stream ? stream.once('close', closed) : closed(undefined)))
    }).catch(reject)
  })
}
