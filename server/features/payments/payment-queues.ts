import type Stripe from 'stripe'
import { createWorkQueue, type WorkQueue } from '#server/platform/queue/work-queue.ts'
import { createSharedWork, type SharedWork } from '#server/platform/queue/shared-work.ts'
import type { CheckoutResult, ConfirmationResult, VerifiedSession } from './payment-results.ts'

/**
 * How the work of one process is kept apart: equal wishes are one piece of work, and a rush of one kind
 * neither holds up another kind nor asks the processor for more than a few things at once.
 */
export type PaymentQueues = {
  /** By invoice. */
  readonly settlements: SharedWork<Stripe.Invoice>
  readonly checkouts: SharedWork<CheckoutResult>
  readonly confirmations: SharedWork<ConfirmationResult>
  /** By session or invoice. */
  readonly verifications: SharedWork<VerifiedSession>
  readonly queues: {
    readonly checkout: WorkQueue
    readonly verification: WorkQueue
    readonly webhook: WorkQueue
  }
}

/** Less than the browser's timeout (web/lib/data/call-api.ts), with time left for the work itself. */
const visitorMs = 10_000

export function createPaymentQueues(): PaymentQueues {
  return {
    settlements: createSharedWork(),
    checkouts: createSharedWork(),
    confirmations: createSharedWork(),
    verifications: createSharedWork(),
    queues: {
      checkout: createWorkQueue({ atOnce: 4, waiting: 40, timeoutMs: visitorMs }),
      verification: createWorkQueue({ atOnce: 4, waiting: 40, timeoutMs: visitorMs }),
      // The processor sends what is refused again.
      webhook: createWorkQueue({ atOnce: 3, waiting: 200, timeoutMs: visitorMs }),
    },
  }
}
