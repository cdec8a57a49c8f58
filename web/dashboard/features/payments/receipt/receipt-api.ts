import { type Estimate, estimate } from '#contracts/estimates/estimates.ts'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { Deposit } from '#contracts/payments/deposits.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { readDeposit } from '#web/dashboard/kit/deposits/deposit-api.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { isUuid } from '#web/lib/is-uuid.ts'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { listLedgerLines } from '#web/dashboard/kit/payments/ledger-lines-api.ts'

/** The data of a receipt: the payment or refund, its invoice, and all ledger lines of that invoice. */
export type ReceiptData = {
  readonly payment: LedgerLine
  /** The credit note of a refund; null for a payment, and for a refund that Stripe reported. */
  readonly creditNote: { readonly tax_cents: number; readonly reason: string } | null
  readonly invoice: ListedInvoice
  readonly lines: readonly LedgerLine[]
  /** The amounts that were credited on the invoice or moved to a replacement invoice, each with its date. */
  readonly reductions: readonly { readonly cents: number; readonly at: string }[]
}

/** The data of a receipt for a deposit or for its refund. */
export type DepositReceipt = {
  readonly line: Deposit['lines'][number]
  readonly estimate: {
    readonly number: string
    readonly customerName: string
    readonly vehicle: string
  }
  /**
   * The total of the approved jobs, in cents. Null on the receipt of a refund, and after the deposit was refunded or
   * applied to an invoice.
   */
  readonly approvedCents: number | null
}

/** Reads the receipt of a payment, a deposit or a refund; null for an unknown id. */
export async function readReceipt(paymentId: string): Promise<ReceiptData | DepositReceipt | null> {
  if (!isUuid(paymentId)) return null
  const { data } = await requestData((service) =>
    service
      .from('payments')
      .select('invoice_id, estimate_id, credit_note_id')
      .eq('id', paymentId)
      .in('kind', ['payment', 'refund'])
      .limit(1),
  )
  const { invoice_id: invoiceId, estimate_id: estimateId } = data[0] ?? {}
  if (!invoiceId) return estimateId ? readDepositReceipt(estimateId, paymentId) : null
  const [invoice, lines, creditNote, reductions] = await Promise.all([
    readListedInvoice(invoiceId),
    listLedgerLines(invoiceId),
    readCreditNote(data[0]?.credit_note_id ?? null),
    listReductions(invoiceId),
  ])
  const payment = lines.find(({ id }) => id === paymentId)
  return invoice && payment ? { payment, creditNote, invoice, lines, reductions } : null
}

async function readDepositReceipt(
  estimateId: string,
  paymentId: string,
): Promise<DepositReceipt | null> {
  const [deposit, { number, document }] = await Promise.all([
    readDeposit(estimateId),
    readEstimate(estimateId),
  ])
  const line = deposit.lines.find(({ id }) => id === paymentId)
  if (!line) return null
  const { year, make, model } = document.vehicle
  const isHeld = line.kind === 'payment' && deposit.state === 'paid'
  return {
    line,
    estimate: {
      number,
      customerName: document.customer.name,
      vehicle: [year, make, model].filter(Boolean).join(' '),
    },
    approvedCents: isHeld ? deposit.approvedCents : null,
  }
}

async function readEstimate(id: string): Promise<Estimate> {
  const { data } = await requestData((service) => service.rpc('read_estimate', { estimate_id: id }))
  return estimate.parse(data)
}

async function readCreditNote(id: string | null): Promise<ReceiptData['creditNote']> {
  if (id === null) return null
  const { data } = await requestData((service) =>
    service.from('credit_notes').select('tax_cents, reason').eq('id', id).limit(1),
  )
  return data[0] ?? null
}

async function listReductions(invoiceId: string): Promise<ReceiptData['reductions']> {
  const [notes, replacements] = await Promise.all([
    requestData((service) =>
      service.from('credit_notes').select('amount_cents, created_at').eq('invoice_id', invoiceId),
    ),
    requestData((service) =>
      service
        .from('replacement_invoices')
        .select('amount_cents, requested_at')
        .eq('original_invoice_id', invoiceId),
    ),
  ])
  return [
    ...notes.data.map(({ amount_cents: cents, created_at: at }) => ({ cents, at })),
    ...replacements.data.map(({ amount_cents: cents, requested_at: at }) => ({ cents, at })),
  ]
}
