import { rowsAs } from '@local/postgres'
import type { Call } from '../api/route.ts'
import { idOf, randomText } from '../objects/new-id.ts'
import { newPaymentIntent } from '../objects/new-payment-intent.ts'
import type { WireInvoice } from '../objects/wire.ts'
import { closeAsPaidElsewhere, newInvoicePayment } from './credit-invoice.ts'
import { withLines } from './invoice-amounts.ts'
import { requireDraft } from './invoice-state.ts'

/**
 * Finalizes a draft invoice, which the caller must have locked: assigns its number and URLs and applies the
 * customer's balance. Afterwards the invoice is open, or paid when nothing is due.
 */
export async function finalizeInvoice(call: Call, draft: WireInvoice): Promise<WireInvoice> {
  requireDraft(draft)
  const { store, now, emit } = call
  const customer = await store.lock('customer', idOf(draft.customer))
  const { balance } = customer
  const path = `/sandbox/invoice/${randomText(48)}`
  const invoice: WireInvoice = {
    ...withLines({ ...draft, starting_balance: balance }, draft.lines.data),
    attempted: true,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    due_date: draft.due_date ?? (draft.collection_method === 'send_invoice' ? now : null),
    effective_at: now,
    ending_balance: Math.min(0, draft.total + balance),
    hosted_invoice_url: path,
    invoice_pdf: `${path}/pdf`,
    number: draft.number ?? (await nextNumber(call)),
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  }
  const newBalance = invoice.ending_balance ?? 0
  if (newBalance !== balance)
    await store.save({ ...customer, balance: newBalance, currency: invoice.currency })
  await store.save(invoice)
  await emit('invoice.finalized', invoice)
  if (invoice.amount_due === 0) return closeAsPaidElsewhere(call, invoice)
  await createDefaultPayment(call, invoice)
  return invoice
}

/**
 * Creates the default PaymentIntent of an open invoice. A payment on the hosted page of the invoice confirms this
 * PaymentIntent.
 */
async function createDefaultPayment(call: Call, invoice: WireInvoice): Promise<void> {
  const intent = newPaymentIntent({
    amount: invoice.amount_due,
    created: call.now,
    currency: invoice.currency,
    customer: invoice.customer,
    description: 'Payment for Invoice',
    receipt_email: null,
  })
  await call.store.insert(intent)
  const payment = newInvoicePayment(
    invoice,
    { payment_intent: intent.id, type: 'payment_intent' },
    invoice.amount_remaining,
    call.now,
  )
  await call.store.insert({ ...payment, is_default: true })
  await call.emit('payment_intent.created', intent)
}

async function nextNumber({ store, account }: Call): Promise<string> {
  const [row] = rowsAs<{ count: string }>(
    await store.query("select nextval('stripe_sandbox.invoice_number') as count"),
  )
  return `${account.invoicePrefix}-${(row?.count ?? '0').padStart(4, '0')}`
}
