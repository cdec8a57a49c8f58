import type Stripe from 'stripe'
import { keyOf, type Report } from './report.ts'

/** A refund to the card with which an invoice or a deposit was paid online. */
export type CardRefund = {
  readonly paymentId: string
  readonly amountCents: number
  readonly paymentIntentId: string | null
}

/** Refunds money to a card. A repeated call does not refund the money again. Returns the id of the refund at Stripe. */
export async function refundCard(
  stripe: Stripe,
  report: Report,
  { paymentId, amountCents, paymentIntentId }: CardRefund,
): Promise<string> {
  if (paymentIntentId === null) throw new Error('A refund to a card has no Stripe payment intent')
  const known = report.isSearched ? await findRefund(stripe, paymentIntentId, paymentId) : undefined
  if (known !== undefined) return known
  const { invoiceId } = report
  const made = await stripe.refunds.create(
    {
      payment_intent: paymentIntentId,
      amount: amountCents,
      metadata: { payment_id: paymentId, ...(invoiceId !== null && { invoice_id: invoiceId }) },
    },
    { idempotencyKey: keyOf('refund', paymentId, report) },
  )
  return made.id
}

/**
 * Returns the Stripe id of the refund for this ledger entry, if an earlier attempt created the refund; otherwise
 * undefined.
 */
async function findRefund(
  stripe: Stripe,
  paymentIntentId: string,
  paymentId: string,
): Promise<string | undefined> {
  for await (const refund of stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 })) {
    if (refund.metadata?.['payment_id'] === paymentId) return refund.id
  }
  return undefined
}
