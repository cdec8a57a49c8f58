import type Stripe from 'stripe'
import { createWorkQueue, type WorkQueue } from '#server/platform/queue/work-queue.ts'
import { createSharedWork, type SharedWork } from '#server/platform/queue/shared-work.ts'
import type { CheckoutResult, ConfirmationResult, VerifiedSession } from './payment-results.ts'

/**
 * The work queues for payments in this process. Identical requests share one run, and many requests of one kind neither
 * delay requests of another kind nor make more than a few simultaneous calls to Stripe.
 */
export type PaymentQueues = {
  /** Settlements of invoices; the key of a run is the invoice id. */
  readonly settlements: SharedWork<Stripe.Invoice>
  readonly checkouts: SharedWork<CheckoutResult>
  readonly confirmations: SharedWork<ConfirmationResult>
  /** Verifications of payments; the key of a run is the session id or the invoice id. */
  readonly verifications: SharedWork<VerifiedSession>
  readonly queues: {
    readonly checkout: WorkQueue
    readonly verification: WorkQueue
    readonly webhook: WorkQueue
  }
}

/**
 * The longest wait in a queue in milliseconds. The wait and the work together must be shorter than the browser's
 * timeout (web/lib/data/call-api.ts).
 */
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
      // Events above the limit are refused, because Stripe delivers a refused event again.
      webhook: createWorkQueue({ atOnce: 3, waiting: 200, timeoutMs: visitorMs }),
    },
  }
}
