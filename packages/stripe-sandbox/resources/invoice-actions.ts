import { invalidRequest } from '../api/api-error.ts'
import { fields, flag, text } from '../api/params.ts'
import { type Call, route } from '../api/route.ts'
import { idOf } from '../objects/new-id.ts'
import type { WireInvoice } from '../objects/wire.ts'
import { cancelDefaultPayment, closeAsPaidElsewhere } from '../payments/credit-invoice.ts'
import { cardUse } from '../payments/confirm-intent.ts'
import { cardDeclined } from '../payments/card-declined.ts'
import { finalizeInvoice } from '../payments/finalize-invoice.ts'
import { requireOpen, requirePayable } from '../payments/invoice-state.ts'
import { payInvoiceByCard } from '../payments/pay-invoice.ts'

const finalize = route(
  'POST /v1/invoices/:id/finalize',
  fields({ auto_advance: flag() }),
  async (call, params, id) => {
    const draft = await call.store.lock('invoice', id)
    return finalizeInvoice(call, {
      ...draft,
      auto_advance: params.auto_advance ?? draft.auto_advance ?? false,
    })
  },
)

// This route only records the event `invoice.sent`, because Stripe sends no email in test mode.
const send = route('POST /v1/invoices/:id/send', fields({}), async (call, _params, id) => {
  const invoice = await call.store.lock('invoice', id)
  if (invoice.collection_method !== 'send_invoice') {
    throw invalidRequest(
      'You can only manually send an invoice if its collection method is `send_invoice`.',
    )
  }
  const sent = invoice.status === 'draft' ? await finalizeInvoice(call, invoice) : invoice
  if (sent.status === 'void') throw invalidRequest('You cannot send a void invoice.')
  await call.emit('invoice.sent', sent)
  return sent
})

const pay = route(
  'POST /v1/invoices/:id/pay',
  fields({ off_session: flag(), paid_out_of_band: flag(), payment_method: text(255) }),
  async (call, params, id) => {
    const found = await call.store.lock('invoice', id)
    const invoice = found.status === 'draft' ? await finalizeInvoice(call, found) : found
    // When a draft without an amount due is finalized, the invoice is also marked as paid.
    if (found.status === 'draft' && invoice.status === 'paid') return invoice
    requirePayable(invoice)
    if (params.paid_out_of_band) return closeAsPaidElsewhere(call, invoice)
    const payer = { name: invoice.customer_name, email: invoice.customer_email }
    const use = cardUse(params.payment_method, call.now, payer)
    if (!use) {
      throw invalidRequest(
        'There is no `default_payment_method` set on this Customer or Invoice. Please set a default payment method.',
        undefined,
        'payment_method',
      )
    }
    const paid = await payInvoiceByCard(call, invoice, use)
    if (paid.decline) throw cardDeclined(paid.decline, paid.charge)
    return paid.invoice
  },
)

const voidInvoice = route('POST /v1/invoices/:id/void', fields({}), async (call, _params, id) => {
  const invoice = await call.store.lock('invoice', id)
  if (invoice.status !== 'uncollectible') requireOpen(invoice, 'void')
  if (invoice.amount_paid > 0) throw invalidRequest('You cannot void an invoice that has payments.')
  await cancelDefaultPayment(call, invoice)
  await returnBalance(call, invoice)
  const voided = await call.store.save({
    ...invoice,
    status: 'void',
    status_transitions: { ...invoice.status_transitions, voided_at: call.now },
  })
  await call.emit('invoice.voided', voided)
  return voided
})

const markUncollectible = route(
  'POST /v1/invoices/:id/mark_uncollectible',
  fields({}),
  async (call, _params, id) => {
    const invoice = requireOpen(await call.store.lock('invoice', id), 'mark as uncollectible')
    const marked = await call.store.save({
      ...invoice,
      status: 'uncollectible',
      status_transitions: { ...invoice.status_transitions, marked_uncollectible_at: call.now },
    })
    await call.emit('invoice.marked_uncollectible', marked)
    return marked
  },
)

export const invoiceActionRoutes = [finalize, markUncollectible, pay, send, voidInvoice]

/** Restores the customer's credit balance: adds the amount with which the balance had paid a part of the invoice. */
async function returnBalance(call: Call, invoice: WireInvoice): Promise<void> {
  const used = (invoice.ending_balance ?? 0) - invoice.starting_balance
  if (used === 0) return
  const customer = await call.store.lock('customer', idOf(invoice.customer))
  await call.store.save({ ...customer, balance: customer.balance - used })
}
