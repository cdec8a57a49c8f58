import { invalidRequest } from '../api/api-error.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { WireCreditNote, WireInvoice } from '../objects/wire.ts'
import type { LinkedRefundParams } from './credit-note-params.ts'

export type LinkedRefund = WireCreditNote['refunds'][number]

/**
 * Links existing refunds of an invoice's payments to a new credit note. The caller must have locked the invoice; only
 * credit notes of this invoice can contain these refunds. Throws an ApiError for a refund of another payment, for a
 * failed refund, and for an amount that other credit notes already contain.
 */
export async function linkRefunds(
  store: ObjectStore,
  invoice: WireInvoice,
  requested: readonly LinkedRefundParams[],
): Promise<LinkedRefund[]> {
  const linked: LinkedRefund[] = []
  for (const [index, params] of requested.entries()) {
    const name = `refunds[${index}]`
    const { total, ...link } =
      params.type === 'payment_record_refund'
        ? await findRecordRefund(store, invoice, params, name)
        : await findRefund(store, invoice, params, name)
    const left = total - (await linkedAmount(store, link, linked))
    const amount = params.amount_refunded ?? total
    if (amount > left) {
      throw invalidRequest(
        `Only ${left} of this refund can be linked to the credit note.`,
        undefined,
        `${name}[amount_refunded]`,
      )
    }
    linked.push({ ...link, amount_refunded: amount })
  }
  return linked
}

type FoundRefund = Omit<LinkedRefund, 'amount_refunded'> & { readonly total: number }

async function findRefund(
  store: ObjectStore,
  invoice: WireInvoice,
  params: LinkedRefundParams,
  name: string,
): Promise<FoundRefund> {
  if (params.refund === undefined) throw missing(`${name}[refund]`)
  const refund = await store.retrieve('refund', params.refund, `${name}[refund]`)
  const payment = { payment_intent: refund.payment_intent }
  await requirePaymentOf(store, invoice, payment, `${name}[refund]`)
  if (refund.status === 'failed' || refund.status === 'canceled')
    throw invalidRequest(
      `The refund has the status ${refund.status}.`,
      undefined,
      `${name}[refund]`,
    )
  return { payment_record_refund: null, refund: refund.id, total: refund.amount, type: 'refund' }
}

async function findRecordRefund(
  store: ObjectStore,
  invoice: WireInvoice,
  params: LinkedRefundParams,
  name: string,
): Promise<FoundRefund> {
  const reference = params.payment_record_refund
  const param = `${name}[payment_record_refund]`
  if (reference === undefined) throw missing(param)
  const { payment_record: recordId, refund_group: group } = reference
  const record = await store.retrieve('payment_record', recordId, `${param}[payment_record]`)
  await requirePaymentOf(store, invoice, { payment_record: record.id }, `${param}[payment_record]`)
  const refund = record.reported_refunds?.find((candidate) => candidate.refund_group === group)
  if (!refund) {
    throw invalidRequest(
      'The payment record has no refund with this reference.',
      'resource_missing',
      `${param}[refund_group]`,
    )
  }
  // The types of the SDK require an id in `refund`. Which id Stripe returns for a refund outside Stripe is unconfirmed.
  return {
    payment_record_refund: { payment_record: record.id, refund_group: group },
    refund: group,
    total: refund.amount,
    type: 'payment_record_refund',
  }
}

async function requirePaymentOf(
  store: ObjectStore,
  invoice: WireInvoice,
  payment: object,
  param: string,
): Promise<void> {
  const [paid] = await store.all('invoice_payment', {
    invoice: invoice.id,
    payment,
    status: 'paid',
  })
  if (paid) return
  throw invalidRequest('The refund belongs to another invoice.', undefined, param)
}

/** Returns how much of the refund's amount the issued credit notes and the new credit note already contain. */
async function linkedAmount(
  store: ObjectStore,
  link: Pick<LinkedRefund, 'refund' | 'type'>,
  added: readonly LinkedRefund[],
): Promise<number> {
  const { refund, type } = link
  const notes = await store.all('credit_note', { status: 'issued', refunds: [{ refund, type }] })
  return [...notes.flatMap((note) => note.refunds), ...added]
    .filter((other) => other.refund === refund && other.type === type)
    .reduce((sum, other) => sum + other.amount_refunded, 0)
}

const missing = (name: string) =>
  invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name)
