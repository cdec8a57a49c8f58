import type { FastifyInstance } from 'fastify'
import { sampleWeekEndpoints } from '#contracts/sample-week.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { createSessionLocks } from '@local/postgres'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
import { createWorkQueue, QueueFullError } from '#server/platform/queue/work-queue.ts'
import { fillSampleWeek } from './fill-sample-week.ts'
import { removeSampleWeek } from './remove-sample-week.ts'

/**
 * The maximum wait in milliseconds for the lock of the sample week, shorter than the browser's timeout
 * (web/lib/data/call-api.ts).
 */
const timeoutMs = 12_000

/** Routes that add and remove the sample week (docs/product.md 11.10). */
export function registerSampleWeek(app: FastifyInstance, payments: PaymentContext): void {
  const { database, paymentMode } = payments
  const alone = oneAtATime(payments)
  serve(app, sampleWeekEndpoints.fill).with({
    handle: async (): Promise<Result<undefined, Refusal>> => {
      if (paymentMode() === 'stripe') return refused({ code: 'PAYMENTS_LIVE' })
      if (paymentMode() === 'not_set_up') return refused({ code: 'PAYMENTS_NOT_SET_UP' })
      const filled = await alone(() => fillSampleWeek(payments))
      return filled.ok ? filled : refused({ code: filled.refusal })
    },
    present: () => ({ ok: true }),
  })
  serve(app, sampleWeekEndpoints.remove).with({
    handle: async () => accepted(await alone(() => removeSampleWeek(database))),
    present: () => ({ ok: true }),
  })
}

/**
 * Returns a function that runs `work` while no other call, in any server process, adds or removes the sample week. A
 * second click therefore waits for the first.
 */
function oneAtATime({ database }: PaymentContext) {
  const queue = createWorkQueue({ atOnce: 1, waiting: 10, timeoutMs })
  const locks = createSessionLocks(database.pool, () => new QueueFullError())
  return <Value>(work: () => Promise<Value>) => queue(() => locks('sample week', timeoutMs, work))
}
