import type Stripe from 'stripe'

/** A type of the SDK as its API answers it: decimals travel as text, enums have listed values only. */
type Wire<T> = T extends Stripe.Decimal
  ? `${number}`
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<Listed<Item>>[]
      : { [Key in keyof T]: Wire<Listed<T[Key]>> }

/** An enum without the SDK's `OtherString`, its escape for the values of tomorrow; any other type as it is. */
type Listed<T> = [Literal<T>] extends [never] ? T : Exclude<T, string> | Literal<T>
type Literal<T> = T extends string ? (string extends T ? never : T) : never

/** What the API answers, by the name that each answer gives itself in `object`. */
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
  refund: Wire<Stripe.Refund>
  tax_rate: Wire<Stripe.TaxRate>
  list: Wire<Stripe.ApiList<never>>
  search_result: Wire<Stripe.ApiSearchResult<never>>
}

/** An event by its `type`; `never` when the SDK knows no such event. */
export type WireEvent<Type> = Wire<Extract<Stripe.Event, { type: Type }>>
