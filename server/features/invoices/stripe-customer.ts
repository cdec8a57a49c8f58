import type Stripe from 'stripe'
import type { InvoiceOrder } from './read-invoice-order.ts'

/**
 * Finds the Stripe customer with this email address and updates the name and the phone number, or creates a customer.
 * Without an email address, always creates a customer.
 */
export async function findOrCreateCustomer(
  stripe: Stripe,
  { name, email, phone }: InvoiceOrder['customer'],
  once: { idempotencyKey: string },
): Promise<string> {
  const existing =
    email === '' ? undefined : (await stripe.customers.list({ email, limit: 1 })).data[0]
  const details = { ...(name === '' ? {} : { name }), ...(phone === '' ? {} : { phone }) }
  if (!existing) {
    const address = email === '' ? {} : { email }
    return (await stripe.customers.create({ ...address, ...details }, once)).id
  }
  const isChanged =
    (name !== '' && existing.name !== name) || (phone !== '' && existing.phone !== phone)
  if (isChanged) await stripe.customers.update(existing.id, details, once)
  return existing.id
}
