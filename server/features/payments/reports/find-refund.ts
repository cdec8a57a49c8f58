import type Stripe from 'stripe'

/** Returns the id of the refund of this ledger line, if an earlier attempt created it. */
export async function findRefund(
  stripe: Stripe,
  paymentIntentId: string,
  paymentId: string,
): Promise<string | undefined> {
  for await (const refund of stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 })) {
    if (refund.metadata?.['payment_id'] === paymentId) return refund.id
  }
  return undefined
}
