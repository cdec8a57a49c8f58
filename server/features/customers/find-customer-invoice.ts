import type Stripe from 'stripe'
import { stripeFailure } from '#server/features/payments/stripe.ts'

/** An invoice as the processor has it; undefined when it knows none of this id (any more). */
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
