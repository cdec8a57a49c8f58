import { invalidRequest } from '../api/api-error.ts'
import { fields, text } from '../api/params.ts'
import { type Call, route } from '../api/route.ts'
import type { WireInvoice, WirePaymentIntent, WirePaymentRecord } from '../objects/wire.ts'
import { creditInvoice, creditPaymentRecord } from '../payments/credit-invoice.ts'
import { requirePayable } from '../payments/invoice-state.ts'

const attach = route(
  'POST /v1/invoices/:id/attach_payment',
  fields({ payment_intent: text(255), payment_record: text(255) }),
  async (call, { payment_intent: intentId, payment_record: recordId }, id) => {
    if ((intentId === undefined) === (recordId === undefined)) {
      throw invalidRequest(
        'You must specify exactly one of these parameters: payment_intent, payment_record.',
        intentId === undefined ? 'parameter_missing' : 'parameters_exclusive',
        'payment_intent',
      )
    }
    const invoice = await call.store.lock('invoice', id)
    requirePayable(invoice)
    if (intentId !== undefined) {
      const intent = await call.store.lock('payment_intent', intentId, 'payment_intent')
      await requireAttachableIntent(call, invoice, intent)
      return creditInvoice(call, invoice, intent)
    }
    const record = await call.store.lock('payment_record', recordId ?? '', 'payment_record')
    await requireAttachableRecord(call, invoice, record)
    return creditPaymentRecord(call, invoice, record)
  },
)

export const attachPaymentRoutes = [attach]

async function requireAttachableIntent(
  call: Call,
  invoice: WireInvoice,
  intent: WirePaymentIntent,
): Promise<void> {
  requireSameCustomer(invoice, intent.customer, 'payment_intent')
  await requireUnattached(call, { payment_intent: intent.id })
  if (intent.status === 'succeeded') return
  throw invalidRequest(
    `The payment sandbox attaches succeeded payments only; this one is ${intent.status}.`,
    undefined,
    'payment_intent',
  )
}

/**
 * Throws an ApiError when the payment record has another customer or currency, is already attached to an invoice, or is
 * larger than the remaining amount.
 */
async function requireAttachableRecord(
  call: Call,
  invoice: WireInvoice,
  record: WirePaymentRecord,
): Promise<void> {
  const { currency, value } = record.amount_guaranteed
  const refuse = (message: string) => invalidRequest(message, undefined, 'payment_record')
  requireSameCustomer(invoice, record.customer_details?.customer, 'payment_record')
  await requireUnattached(call, { payment_record: record.id })
  if (currency !== invoice.currency)
    throw refuse(`The payment has the currency ${currency}; the invoice has ${invoice.currency}.`)
  if (record.amount_refunded.value > 0)
    throw refuse('The payment sandbox attaches payment records without refunds only.')
  if (value > invoice.amount_remaining) {
    throw refuse(
      `The payment (${value}) is greater than the remaining amount of the invoice (${invoice.amount_remaining}).`,
    )
  }
}

function requireSameCustomer(invoice: WireInvoice, customer: unknown, param: string): void {
  if (customer === invoice.customer) return
  throw invalidRequest(
    'The payment belongs to another customer than the invoice.',
    undefined,
    param,
  )
}

/**
 * Throws an ApiError when the payment is already attached to an invoice. `payment` has the format of the field
 * `payment` of an invoice payment.
 */
async function requireUnattached(
  { store }: Call,
  payment: { payment_intent: string } | { payment_record: string },
): Promise<void> {
  const [attached] = await store.all('invoice_payment', { payment })
  if (!attached) return
  throw invalidRequest(
    'The payment is already attached to an invoice.',
    undefined,
    Object.keys(payment)[0],
  )
}
