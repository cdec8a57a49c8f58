import type Stripe from 'stripe'
import { createWorkQueue, type WorkQueue } from '#server/platform/queue/work-queue.ts'
import { createSharedWork, type SharedWork } from '#server/platform/queue/shared-work.ts'
import type { CheckoutResult, ConfirmationResult, VerifiedSession } from './payment-results.ts'

/**
 * The queues that separate the payment work of one process: equal requests share one run, and many requests of one kind
 * neither delay another kind nor call Stripe more than a few times at once.
 */
export type PaymentQueues = {
  /** The key of these runs is the id of the invoice. */
  readonly settlements: SharedWork<Stripe.Invoice>
  readonly checkouts: SharedWork<CheckoutResult>
  readonly confirmations: SharedWork<ConfirmationResult>
  /** The key of these runs is the id of the session or the invoice. */
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
      // Stripe delivers a refused event again.
      webhook: createWorkQueue({ atOnce: 3, waiting: 200, timeoutMs: visitorMs }),
    },
  }
}
