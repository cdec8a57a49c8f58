import type Stripe from 'stripe'
import { stripeFailure } from '#server/features/payments/stripe.ts'

/** Retrieves an invoice from Stripe; undefined when Stripe has no invoice with this id. */
export async function findCustomerInvoice(
  stripe: Stripe,
  id: string,
): Promise<Stripe.Invoice | undefined> {
  try {
    return await stripe.invoices.retrieve(id)
  } catch (error) {
    if (stripeFailure(error) === 'missing') return undefined
    throw error
  }
}
