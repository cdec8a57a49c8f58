import type Stripe from 'stripe'

/** A type of the SDK in its JSON form: decimal numbers are strings, and enums have only listed values. */
type Wire<T> = T extends Stripe.Decimal
  ? `${number}`
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<Listed<Item>>[]
      : { [Key in keyof T]: Wire<Listed<T[Key]>> }

/** Removes the SDK's type `OtherString`, which allows future values, from an enum; leaves other types unchanged. */
type Listed<T> = [Literal<T>] extends [never] ? T : Exclude<T, string> | Literal<T>
type Literal<T> = T extends string ? (string extends T ? never : T) : never

/** The types of responses by the value of their field `object`. */
export type StripeResponses = {
  customer: Wire<Stripe.Customer>
  invoice: Wire<Stripe.Invoice>
  deleted_invoice: Wire<Stripe.DeletedInvoice>
  invoiceitem: Wire<Stripe.InvoiceItem>
  line_item: Wire<Stripe.InvoiceLineItem>
  invoice_payment: Wire<Stripe.InvoicePayment>
  'checkout.session': Wire<Stripe.Checkout.Session>
  item: Wire<Stripe.LineItem>
  payment_intent: Wire<Stripe.PaymentIntent>
  charge: Wire<Stripe.Charge>
  payment_record: Wire<Stripe.PaymentRecord>
  credit_note: Wire<Stripe.CreditNote>
  credit_note_line_item: Wire<Stripe.CreditNoteLineItem>
  dispute: Wire<Stripe.Dispute>
  refund: Wire<Stripe.Refund>
  tax_rate: Wire<Stripe.TaxRate>
  list: Wire<Stripe.ApiList<never>>
  search_result: Wire<Stripe.ApiSearchResult<never>>
}

/** The SDK type of an event by the value of its field `type`; `never` for a value that the SDK does not declare. */
export type WireEvent<Type> = Wire<Extract<Stripe.Event, { type: Type }>>
