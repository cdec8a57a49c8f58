import type Stripe from 'stripe'
import { createWorkQueue, type WorkQueue } from '#server/platform/queue/work-queue.ts'
import { createSharedWork, type SharedWork } from '#server/platform/queue/shared-work.ts'
import type { CheckoutResult, ConfirmationResult, VerifiedSession } from './payment-results.ts'

/**
 * The work queues for payments in this process. Identical requests that arrive at about the same time are executed only
 * once. Checkouts, verifications and webhook events have separate queues, so that many requests in one queue do not
 * delay the other queues. Each queue permits only a few simultaneous runs.
 */
export type PaymentQueues = {
  /** Settlements of the payments of an invoice; simultaneous calls with the same invoice id share one settlement. */
  readonly settlements: SharedWork<Stripe.Invoice>
  readonly checkouts: SharedWork<CheckoutResult>
  readonly confirmations: SharedWork<ConfirmationResult>
  /**
   * Verifications of payments; simultaneous calls with the same checkout session id or invoice id share one
   * verification.
   */
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
      // If 200 webhook events are waiting, the server refuses further events, and Stripe delivers these events again.
      webhook: createWorkQueue({ atOnce: 3, waiting: 200, timeoutMs: visitorMs }),
    },
  }
}
