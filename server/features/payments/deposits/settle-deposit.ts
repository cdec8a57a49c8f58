import type Stripe from 'stripe'
import { noticeOfReturnedDeposit } from '#emails/payments/payment-notices.ts'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { type Query, rowsAs } from '@local/postgres'
import { paidIntentOf } from '../checkout/invoice-sessions.ts'
import { recordClosedSessions } from '../checkout/payment-pages.ts'
import type { PaymentContext } from '../payment-context.ts'

/**
 * The outcome of a paid checkout session. held: this call recorded the deposit. known: an earlier call recorded the
 * deposit. returned: no deposit is due any longer, so a scheduled job refunds the payment.
 */
type Outcome = 'held' | 'returned' | 'known'

/**
 * Records the deposit that was paid in a checkout session. Returns undefined if nothing was paid in the session. The
 * webhook, the page to which the customer returns, and the reconciliation job all call this function, in any order and
 * any number of times. The database records each payment once.
 */
export async function settleDeposit(
  context: PaymentContext,
  sessionId: string,
): Promise<Outcome | undefined> {
  const session = await context.stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent'],
  })
  const estimateId = session.metadata?.['estimate_id']
  const intent = paidIntentOf(session)
  return context.database.transaction(asServer, async (query) => {
    if (session.status !== 'open') await recordClosedSessions(query, [session.id])
    if (estimateId === undefined || !intent) return undefined
    const outcome = await record(query, estimateId, session.id, intent)
    if (outcome === 'returned') {
      await queueOwnerNotice(query, noticeOfReturnedDeposit(context, intent))
    }
    return outcome
  })
}

async function record(
  query: Query,
  estimateId: string,
  checkoutSessionId: string,
  intent: Stripe.PaymentIntent,
): Promise<Outcome> {
  const payment = {
    estimateId,
    amountCents: intent.amount_received,
    currency: intent.currency,
    paymentIntentId: intent.id,
    checkoutSessionId,
    paidAt: intent.created,
  }
  const [row] = rowsAs<{ outcome: Outcome }>(
    await query('select internal.record_online_deposit($1) as outcome', [JSON.stringify(payment)]),
  )
  if (!row) throw new Error('internal.record_online_deposit returned no outcome')
  return row.outcome
}
