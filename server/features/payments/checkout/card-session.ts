import type Stripe from 'stripe'

/** The lifetime of a checkout session: Stripe's minimum of 30 minutes, plus a minute because clocks can differ. */
export const sessionSeconds = 31 * 60

type Order = {
  /** The id of the invoice or the estimate that the card payment is for. */
  readonly reference: string
  readonly title: string
  readonly customer: string
  readonly metadata: Readonly<Record<string, string>>
  readonly currency: string
  readonly amountCents: number
  /**
   * The URLs to which the customer returns after the payment or its cancellation. The placeholder for the checkout
   * session id stays unencoded, because Stripe does not recognize encoded braces.
   */
  readonly successUrl: string
  readonly cancelUrl: string
}

/** The parameters of a checkout session in which the customer pays one amount by card. */
export function cardSession(order: Order, nowMs: number): Stripe.Checkout.SessionCreateParams {
  const { reference, title, customer, metadata, currency, amountCents } = order
  return {
    mode: 'payment',
    submit_type: 'pay',
    // Only card payments are accepted, because they succeed or fail immediately. A bank transfer takes days, in which
    // the customer could pay a second time.
    allowed_payment_method_types: ['card'],
    customer,
    client_reference_id: reference,
    metadata,
    payment_intent_data: { description: title, metadata },
    // Disables Stripe's conversion to the customer's currency, so that the card is charged exactly `amountCents` in
    // `currency`.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount: amountCents, product_data: { name: title } },
      },
    ],
    expires_at: Math.floor(nowMs / 1000) + sessionSeconds,
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
  }
}
