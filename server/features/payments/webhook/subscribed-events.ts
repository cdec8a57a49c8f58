import type Stripe from 'stripe'

/** The Stripe events that report a change of a payment, an invoice or a refund of the shop. */
export const subscribedEvents: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.overpaid',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'invoice_payment.paid',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
]
