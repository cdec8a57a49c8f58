import type Stripe from 'stripe'

/** A type of the SDK as its API answers it: decimals travel as text, enums have listed values only. */
type Answered<T> = T extends Stripe.Decimal
  ? `${number}`
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Answered<Listed<Item>>[]
      : { [Key in keyof T]: Answered<Listed<T[Key]>> }

/** An enum without the SDK's `OtherString`, its escape for the values of tomorrow; any other type as it is. */
type Listed<T> = [Literal<T>] extends [never] ? T : Exclude<T, string> | Literal<T>
type Literal<T> = T extends string ? (string extends T ? never : T) : never

/** What the API answers, by the name that each answer gives itself in `object`. */
export type StripeResponses = {
  customer: Answered<Stripe.Customer>
  invoice: Answered<Stripe.Invoice>
  deleted_invoice: Answered<Stripe.DeletedInvoice>
  invoiceitem: Answered<Stripe.InvoiceItem>
  line_item: Answered<Stripe.InvoiceLineItem>
  invoice_payment: Answered<Stripe.InvoicePayment>
  'checkout.session': Answered<Stripe.Checkout.Session>
  item: Answered<Stripe.LineItem>
  payment_intent: Answered<Stripe.PaymentIntent>
  charge: Answered<Stripe.Charge>
  refund: Answered<Stripe.Refund>
  tax_rate: Answered<Stripe.TaxRate>
  list: Answered<Stripe.ApiList<never>>
  search_result: Answered<Stripe.ApiSearchResult<never>>
}

/** An event by its `type`; `never` when the SDK knows no such event. */
export type AnsweredEvent<Type> = Answered<Extract<Stripe.Event, { type: Type }>>
