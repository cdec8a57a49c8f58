import Stripe from 'stripe'

/** The fields of the card form on a hosted page. */
export type CardFields = {
  readonly email: string
  readonly number: string
  readonly expiry: string
  readonly cvc: string
  readonly name: string
}

/** The values of the card form with a test card that the sandbox accepts. */
export const goodCard: CardFields = {
  email: 'dana@example.com',
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Dana Whitfield',
}

/** Creates a new customer with an open invoice of one line. */
export async function openInvoice(
  stripe: Stripe,
  cents = 54_950,
  email = 'dana@example.com',
): Promise<Stripe.Invoice> {
  const customer = await stripe.customers.create({ email, name: 'Dana Whitfield' })
  const draft = await stripe.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 7,
    currency: 'usd',
    description: 'Office supplies',
    auto_advance: false,
    pending_invoice_items_behavior: 'exclude',
  })
  await stripe.invoiceItems.create({
    customer: customer.id,
    invoice: draft.id,
    description: 'Desk lamp with a shade',
    quantity: 1,
    unit_amount_decimal: Stripe.Decimal.from(cents),
    currency: 'usd',
  })
  return stripe.invoices.finalizeInvoice(draft.id)
}

/** Creates a Checkout Session for an invoice; by default for the invoice's remaining amount. */
export function openCheckout(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  cents = invoice.amount_remaining,
) {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customerOf(invoice),
    client_reference_id: invoice.id,
    metadata: { invoice_id: invoice.id },
    payment_intent_data: { metadata: { invoice_id: invoice.id } },
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: invoice.currency,
          unit_amount: cents,
          product_data: { name: `Invoice ${invoice.number ?? ''}` },
        },
      },
    ],
    success_url: 'https://shop.test/payment-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.test/pay-invoice',
  })
}

/** Returns the id of an invoice's customer. */
export function customerOf({ customer }: Stripe.Invoice): string {
  if (typeof customer === 'string') return customer
  throw new Error('The invoice has no customer id')
}

/** Returns the id of the PaymentIntent that a Checkout Session has created. */
export async function paymentOf(stripe: Stripe, session: Stripe.Checkout.Session): Promise<string> {
  const { payment_intent: payment } = await stripe.checkout.sessions.retrieve(session.id)
  if (typeof payment === 'string') return payment
  throw new Error('The session has no PaymentIntent')
}
