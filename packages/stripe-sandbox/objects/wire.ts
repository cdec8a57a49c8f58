import type Stripe from 'stripe'

/**
 * A type of the SDK in its JSON form, in which decimal numbers are strings. An object literal of type `Wire<…>` does
 * not compile when it lacks a field of the SDK's type or has an additional field.
 */
type Wire<T> = T extends Stripe.Decimal
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<Item>[]
      : { [Key in keyof T]: Wire<T[Key]> }

export type WireCustomer = Wire<Stripe.Customer>
export type WireInvoiceItem = Wire<Stripe.InvoiceItem>
export type WireInvoiceLine = Wire<Stripe.InvoiceLineItem>
export type WireInvoice = Wire<Stripe.Invoice>
/** A tax of an invoice line. A tax of a whole invoice has the same fields. */
export type WireTax = Wire<Stripe.InvoiceLineItem.Tax>
export type WireTaxRate = Wire<Stripe.TaxRate>
export type WireInvoicePayment = Wire<Stripe.InvoicePayment>
/** A Checkout Session with the fields for its later PaymentIntent; responses omit these fields. */
export type WireSession = Wire<Stripe.Checkout.Session> & { payment_intent_data?: IntentData }
type IntentData = Pick<WirePaymentIntent, 'description' | 'metadata' | 'receipt_email'>
/** A payment record with its reported refunds; responses omit these refunds. */
export type WirePaymentRecord = Wire<Stripe.PaymentRecord> & {
  reported_refunds?: { refund_group: string; amount: number }[]
}
export type WireLineItem = Wire<Stripe.LineItem>
export type WirePaymentIntent = Wire<Stripe.PaymentIntent>
export type WireCharge = Wire<Stripe.Charge>
export type WireCreditNote = Wire<Stripe.CreditNote>
export type WireCreditNoteLine = Wire<Stripe.CreditNoteLineItem>
export type WireDispute = Wire<Stripe.Dispute>
export type WireRefund = Wire<Stripe.Refund>

/** A stored event. `data.object` is a snapshot of the object when the event occurred. */
export type WireEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: StoredObject }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: EventType
}

export type EventType =
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'credit_note.created'
  | 'credit_note.voided'
  | 'customer.created'
  | 'customer.updated'
  | 'invoice.created'
  | 'invoice.deleted'
  | 'invoice.finalized'
  | 'invoice.marked_uncollectible'
  | 'invoice.overpaid'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'invoice.payment_succeeded'
  | 'invoice.sent'
  | 'invoice.updated'
  | 'invoice.voided'
  | 'invoice_payment.paid'
  | 'invoiceitem.created'
  | 'payment_intent.canceled'
  | 'payment_intent.created'
  | 'payment_intent.payment_failed'
  | 'payment_intent.succeeded'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated'
  | 'tax_rate.created'

/** Every kind of object that the sandbox stores, by its name in the API. */
export type Kinds = {
  customer: WireCustomer
  invoiceitem: WireInvoiceItem
  invoice: WireInvoice
  tax_rate: WireTaxRate
  invoice_payment: WireInvoicePayment
  'checkout.session': WireSession
  payment_intent: WirePaymentIntent
  charge: WireCharge
  payment_record: WirePaymentRecord
  credit_note: WireCreditNote
  dispute: WireDispute
  refund: WireRefund
  event: WireEvent
}
export type Kind = keyof Kinds
export type StoredObject = Kinds[Kind]

/** A list in a response. `url` is the URL of the whole list. */
export type WireList<Item> = { object: 'list'; data: Item[]; has_more: boolean; url: string }
