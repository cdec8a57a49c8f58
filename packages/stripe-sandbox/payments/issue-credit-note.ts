import { invalidRequest } from '../api/api-error.ts'
import { mergeMetadata } from '../api/params.ts'
import type { Call } from '../api/route.ts'
import { newCreditNote } from '../objects/new-credit-note.ts'
import { idOf } from '../objects/new-id.ts'
import type { WireCreditNote, WireCreditNoteLine, WireInvoice } from '../objects/wire.ts'
import type { CreditNoteParams } from './credit-note-params.ts'
import { closeAsPaidElsewhere, creditCustomer } from './credit-invoice.ts'
import { requireWithinTotal } from './creditable-amount.ts'
import { creditNoteLines } from './credit-note-lines.ts'
import { withCreditNote, totalsOf } from './invoice-amounts.ts'
import { type LinkedRefund, linkRefunds } from './link-refunds.ts'
import { refundCharge } from './refund-charge.ts'

/**
 * Issues a credit note for an invoice, which the caller must have locked. The credit note first lowers the remaining
 * amount of the invoice; the parameters state how the rest of the credit is returned to the customer.
 */
export async function issueCreditNote(
  call: Call,
  invoice: WireInvoice,
  params: CreditNoteParams,
): Promise<WireCreditNote> {
  requireCreditable(invoice)
  const notes = await call.store.all('credit_note', { invoice: invoice.id })
  const issued = notes.filter((note) => note.status === 'issued')
  const { items, ...totals } = await creditedTotals(call, invoice, params, issued)
  const linked = await linkRefunds(call.store, invoice, params.refunds ?? [])
  await requireWithinTotal(call.store, invoice, totals.total, issued, linked)
  const before = Math.min(totals.total, invoice.amount_remaining)
  const after = totals.total - before
  requireReturned(params, linked, after)
  const refunds = [...linked, ...(await refundPayment(call, invoice, params.refund_amount ?? 0))]
  const note = newCreditNote({
    ...chosenFields(call, invoice, params),
    ...totals,
    items,
    number: `${invoice.number ?? ''}-CN-${String(notes.length + 1).padStart(2, '0')}`,
    post_payment_amount: after,
    pre_payment_amount: before,
    refunds,
    type: after === 0 ? 'pre_payment' : before === 0 ? 'post_payment' : 'mixed',
  })
  await call.emit('credit_note.created', await call.store.insert(note))
  if (params.credit_amount) await creditCustomer(call, invoice, params.credit_amount)
  await applyCreditNote(call, invoice, note)
  return note
}

function chosenFields(call: Call, invoice: WireInvoice, params: CreditNoteParams) {
  return {
    created: call.now,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    effective_at: params.effective_at ?? call.now,
    invoice: invoice.id,
    memo: params.memo ?? null,
    metadata: mergeMetadata(null, params.metadata),
    out_of_band_amount: params.out_of_band_amount ?? null,
    reason: params.reason ?? null,
  }
}

/** Lowers the remaining amount of the invoice. An open invoice without a remaining amount becomes paid. */
async function applyCreditNote(
  call: Call,
  invoice: WireInvoice,
  note: WireCreditNote,
): Promise<void> {
  const credited = withCreditNote(invoice, note.pre_payment_amount, note.post_payment_amount)
  if (invoice.status === 'open' && credited.amount_remaining === 0) {
    await closeAsPaidElsewhere(call, credited)
    return
  }
  await call.emit('invoice.updated', await call.store.save(credited))
}

function requireCreditable(invoice: WireInvoice): void {
  if (invoice.status === 'open' || invoice.status === 'paid') return
  throw invalidRequest(
    `Credit notes need an open or paid invoice. This invoice is ${String(invoice.status)}.`,
    undefined,
    'invoice',
  )
}

async function creditedTotals(
  call: Call,
  invoice: WireInvoice,
  params: CreditNoteParams,
  issued: readonly WireCreditNote[],
) {
  const { amount, lines } = params
  if ((amount === undefined) === (lines === undefined)) {
    throw invalidRequest(
      'You must specify exactly one of these parameters: amount, lines.',
      amount === undefined ? 'parameter_missing' : 'parameters_exclusive',
      'amount',
    )
  }
  const credited = issued.flatMap((note) => note.lines.data)
  const items: WireCreditNoteLine[] = await creditNoteLines(
    call.store,
    invoice,
    lines ?? [],
    credited,
  )
  const totals = totalsOf(amount === undefined ? items : [{ amount, taxes: [] }])
  if (totals.total > 0) return { ...totals, items }
  throw invalidRequest('The total of a credit note must be positive.', undefined, 'lines')
}

/**
 * Throws an ApiError unless the refunds, the credit and the amount outside Stripe add up to the paid part of the credit
 * note.
 */
function requireReturned(
  params: CreditNoteParams,
  linked: readonly LinkedRefund[],
  after: number,
): void {
  const { credit_amount: credit = 0, out_of_band_amount: outOfBand = 0 } = params
  const refunded = linked.reduce((sum, refund) => sum + refund.amount_refunded, 0)
  const returned = refunded + (params.refund_amount ?? 0) + credit + outOfBand
  if (returned === after) return
  throw invalidRequest(
    `The sum of refunds, credit amount and out of band amount (${returned}) must equal the post payment amount (${after}).`,
  )
}

/** Refunds the amount from the newest card payment of the invoice whose unrefunded part is large enough. */
async function refundPayment(
  call: Call,
  invoice: WireInvoice,
  cents: number,
): Promise<LinkedRefund[]> {
  if (cents === 0) return []
  const paid = await call.store.all('invoice_payment', { invoice: invoice.id, status: 'paid' })
  for (const { payment } of paid.toReversed()) {
    if (payment.payment_intent === undefined) continue
    const intent = await call.store.retrieve('payment_intent', idOf(payment.payment_intent))
    const charge = await call.store.lock('charge', idOf(intent.latest_charge))
    if (charge.amount - charge.amount_refunded < cents) continue
    const { id } = await refundCharge(call, charge, cents)
    return [{ amount_refunded: cents, payment_record_refund: null, refund: id, type: 'refund' }]
  }
  throw invalidRequest(
    'No charge of the invoice can be refunded by this amount.',
    undefined,
    'refund_amount',
  )
}
