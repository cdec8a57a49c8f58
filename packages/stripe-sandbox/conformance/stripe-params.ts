import type Stripe from 'stripe'

/** The parameters of each API call, as the SDK declares them. */
type Params = {
  'POST customers': Stripe.CustomerCreateParams
  'GET customers': Stripe.CustomerListParams
  'GET customers/:id': Stripe.CustomerRetrieveParams
  'POST customers/:id': Stripe.CustomerUpdateParams
  'POST invoiceitems': Stripe.InvoiceItemCreateParams
  'GET invoiceitems': Stripe.InvoiceItemListParams
  'GET invoiceitems/:id': Stripe.InvoiceItemRetrieveParams
  'POST invoices': Stripe.InvoiceCreateParams
  'GET invoices': Stripe.InvoiceListParams
  'GET invoices/search': Stripe.InvoiceSearchParams
  'GET invoices/:id': Stripe.InvoiceRetrieveParams
  'POST invoices/:id': Stripe.InvoiceUpdateParams
  'DELETE invoices/:id': Stripe.InvoiceDeleteParams
  'GET invoices/:id/lines': Stripe.InvoiceListLineItemsParams
  'POST invoices/:id/add_lines': Stripe.InvoiceAddLinesParams
  'POST invoices/:id/attach_payment': Stripe.InvoiceAttachPaymentParams
  'POST invoices/:id/finalize': Stripe.InvoiceFinalizeInvoiceParams
  'POST invoices/:id/mark_uncollectible': Stripe.InvoiceMarkUncollectibleParams
  'POST invoices/:id/pay': Stripe.InvoicePayParams
  'POST invoices/:id/send': Stripe.InvoiceSendInvoiceParams
  'POST invoices/:id/void': Stripe.InvoiceVoidInvoiceParams
  'POST checkout/sessions': Stripe.Checkout.SessionCreateParams
  'GET checkout/sessions': Stripe.Checkout.SessionListParams
  'GET checkout/sessions/:id': Stripe.Checkout.SessionRetrieveParams
  'POST checkout/sessions/:id': Stripe.Checkout.SessionUpdateParams
  'POST checkout/sessions/:id/expire': Stripe.Checkout.SessionExpireParams
  'GET checkout/sessions/:id/line_items': Stripe.Checkout.SessionListLineItemsParams
  'POST payment_intents': Stripe.PaymentIntentCreateParams
  'GET payment_intents': Stripe.PaymentIntentListParams
  'GET payment_intents/:id': Stripe.PaymentIntentRetrieveParams
  'POST payment_intents/:id': Stripe.PaymentIntentUpdateParams
  'POST payment_intents/:id/confirm': Stripe.PaymentIntentConfirmParams
  'GET charges': Stripe.ChargeListParams
  'GET charges/:id': Stripe.ChargeRetrieveParams
  'GET invoice_payments': Stripe.InvoicePaymentListParams
  'GET invoice_payments/:id': Stripe.InvoicePaymentRetrieveParams
  'POST payment_records/report_payment': Stripe.PaymentRecordReportPaymentParams
  'GET payment_records': Stripe.PaymentRecordListParams
  'GET payment_records/:id': Stripe.PaymentRecordRetrieveParams
  'POST payment_records/:id/report_refund': Stripe.PaymentRecordReportRefundParams
  'POST refunds': Stripe.RefundCreateParams
  'GET refunds': Stripe.RefundListParams
  'GET refunds/:id': Stripe.RefundRetrieveParams
  'POST credit_notes': Stripe.CreditNoteCreateParams
  'GET credit_notes': Stripe.CreditNoteListParams
  'GET credit_notes/:id': Stripe.CreditNoteRetrieveParams
  'GET credit_notes/:id/lines': Stripe.CreditNoteListLineItemsParams
  'POST credit_notes/:id/void': Stripe.CreditNoteVoidCreditNoteParams
  'GET disputes': Stripe.DisputeListParams
  'GET disputes/:id': Stripe.DisputeRetrieveParams
  'GET tax_rates/:id': Stripe.TaxRateRetrieveParams
  'GET events': Stripe.EventListParams
  'GET events/:id': Stripe.EventRetrieveParams
}

/** The names of the parameters that an API call accepts. */
export type ParamNames<Call extends keyof Params> = NamesOf<Params[Call]>[]

type NamesOf<T> = T extends unknown ? keyof T : never
