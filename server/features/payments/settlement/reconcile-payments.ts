import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { idOf } from '../stripe.ts'
import { missingFromLedger } from './ledger.ts'
import type { PaymentContext } from '../payment-context.ts'
import { settleDeposit } from '../deposits/settle-deposit.ts'
import { settlePayment } from './settle-payment.ts'

/**
 * The age in seconds up to which the reconciliation job checks payments. The age is four days, because Stripe retries a
 * webhook event for three days. The owner has to check older payments that were not settled.
 */
const windowSeconds = 4 * 86_400
const maxPayments = 2000

/**
 * Settles payments that no webhook event reported. Returns the number of settled invoices and deposits. A failure is
 * passed to `onFailure` and does not stop the other settlements. The next run tries the failed settlement again.
 */
export async function reconcilePayments(
  context: PaymentContext,
  onFailure: (invoiceId: string, error: unknown) => void,
): Promise<number> {
  await forgetOldEvents(context.database)
  const paid = new Map([...(await paidInCheckout(context)), ...(await paidDirectly(context))])
  const missing = await context.database.transaction(asServer, (query) =>
    missingFromLedger(query, [...paid.keys()]),
  )
  const ids = new Set([...missing].map((intentId) => paid.get(intentId) ?? ''))
  let settled = 0
  for (const id of ids) {
    try {
      await (id.startsWith('cs_') ? settleDeposit(context, id) : settlePayment(context, id))
      settled += 1
    } catch (error) {
      onFailure(id, error)
    }
  }
  return settled
}

/** Maps each payment of a recently completed checkout session to its invoice or, for a deposit, to the session. */
async function paidInCheckout({ stripe, now }: PaymentContext): Promise<[string, string][]> {
  const paid: [string, string][] = []
  const sessions = stripe.checkout.sessions.list({
    status: 'complete',
    created: { gte: Math.floor(now() / 1000) - windowSeconds },
    limit: 100,
  })
  for await (const session of sessions) {
    const isDeposit = session.metadata?.['estimate_id'] !== undefined
    const settledBy = isDeposit ? session.id : session.metadata?.['invoice_id']
    const intentId = idOf(session.payment_intent)
    if (settledBy && intentId && session.payment_status === 'paid') paid.push([intentId, settledBy])
    if (paid.length >= maxPayments) break
  }
  return paid
}

/** Maps each recent invoice payment at Stripe, by any payment method, to its invoice. */
async function paidDirectly({ stripe, now }: PaymentContext): Promise<[string, string][]> {
  const paid: [string, string][] = []
  const payments = stripe.invoicePayments.list({
    status: 'paid',
    created: { gte: Math.floor(now() / 1000) - windowSeconds },
    limit: 100,
  })
  for await (const { payment, invoice } of payments) {
    const intentId = idOf(payment.payment_intent ?? null)
    if (intentId) paid.push([intentId, idOf(invoice)])
    if (paid.length >= maxPayments) break
  }
  return paid
}

/**
 * Deletes old records of processed webhook events. Stripe repeats an event for three days only, so the shop no longer
 * needs records older than 90 days.
 */
async function forgetOldEvents(database: Database): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(`delete from internal.stripe_events where handled_at < now() - interval '90 days'`),
  )
}
