import { expect, it } from 'vitest'
import { declaredNames } from '#testing/stripe-declarations.ts'
import { apiRoutes } from './routes.ts'

// Which interface of the SDK's typings declares the parameters of a route.
const declarations: Record<string, [file: string, name: string]> = {
  'POST customers': ['Customers', 'CustomerCreateParams'],
  'GET customers': ['Customers', 'CustomerListParams'],
  'GET customers/:id': ['Customers', 'CustomerRetrieveParams'],
  'POST customers/:id': ['Customers', 'CustomerUpdateParams'],
  'POST invoiceitems': ['InvoiceItems', 'InvoiceItemCreateParams'],
  'GET invoiceitems': ['InvoiceItems', 'InvoiceItemListParams'],
  'GET invoiceitems/:id': ['InvoiceItems', 'InvoiceItemRetrieveParams'],
  'POST invoices': ['Invoices', 'InvoiceCreateParams'],
  'GET invoices': ['Invoices', 'InvoiceListParams'],
  'GET invoices/search': ['Invoices', 'InvoiceSearchParams'],
  'GET invoices/:id': ['Invoices', 'InvoiceRetrieveParams'],
  'POST invoices/:id': ['Invoices', 'InvoiceUpdateParams'],
  'DELETE invoices/:id': ['Invoices', 'InvoiceDeleteParams'],
  'GET invoices/:id/lines': ['Invoices', 'InvoiceListLineItemsParams'],
  'POST invoices/:id/attach_payment': ['Invoices', 'InvoiceAttachPaymentParams'],
  'POST invoices/:id/finalize': ['Invoices', 'InvoiceFinalizeInvoiceParams'],
  'POST invoices/:id/mark_uncollectible': ['Invoices', 'InvoiceMarkUncollectibleParams'],
  'POST invoices/:id/pay': ['Invoices', 'InvoicePayParams'],
  'POST invoices/:id/send': ['Invoices', 'InvoiceSendInvoiceParams'],
  'POST invoices/:id/void': ['Invoices', 'InvoiceVoidInvoiceParams'],
  'POST checkout/sessions': ['Checkout/Sessions', 'Checkout.SessionCreateParams'],
  'GET checkout/sessions': ['Checkout/Sessions', 'Checkout.SessionListParams'],
  'GET checkout/sessions/:id': ['Checkout/Sessions', 'Checkout.SessionRetrieveParams'],
  'POST checkout/sessions/:id': ['Checkout/Sessions', 'Checkout.SessionUpdateParams'],
  'POST checkout/sessions/:id/expire': ['Checkout/Sessions', 'Checkout.SessionExpireParams'],
  'GET checkout/sessions/:id/line_items': [
    'Checkout/Sessions',
    'Checkout.SessionListLineItemsParams',
  ],
  'POST payment_intents': ['PaymentIntents', 'PaymentIntentCreateParams'],
  'GET payment_intents': ['PaymentIntents', 'PaymentIntentListParams'],
  'GET payment_intents/:id': ['PaymentIntents', 'PaymentIntentRetrieveParams'],
  'POST payment_intents/:id': ['PaymentIntents', 'PaymentIntentUpdateParams'],
  'POST payment_intents/:id/confirm': ['PaymentIntents', 'PaymentIntentConfirmParams'],
  'GET charges': ['Charges', 'ChargeListParams'],
  'GET charges/:id': ['Charges', 'ChargeRetrieveParams'],
  'GET invoice_payments': ['InvoicePayments', 'InvoicePaymentListParams'],
  'GET invoice_payments/:id': ['InvoicePayments', 'InvoicePaymentRetrieveParams'],
  'POST refunds': ['Refunds', 'RefundCreateParams'],
  'GET refunds': ['Refunds', 'RefundListParams'],
  'GET refunds/:id': ['Refunds', 'RefundRetrieveParams'],
  'GET events': ['Events', 'EventListParams'],
  'GET events/:id': ['Events', 'EventRetrieveParams'],
}

const routes = apiRoutes.map(({ method, path, params }) => ({
  line: `${method} ${path.slice(1).join('/')}`,
  params,
}))

it.each(routes)(
  '$line takes only parameters that the typings of the SDK declare',
  ({ line, params }) => {
    const [file, name] = declarations[line] ?? ['', line]
    const declared = declaredNames(file, name)
    expect(params.filter((param) => !declared.includes(param))).toEqual([])
  },
)
