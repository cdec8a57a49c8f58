import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { isUuid } from '#web/lib/is-uuid.ts'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { listLedgerLines } from '#web/dashboard/kit/payments/ledger-lines-api.ts'

/** What a receipt shows: the payment or refund, its invoice, and all lines of that invoice. */
export type ReceiptData = {
  readonly payment: LedgerLine
  /** The credit note of a refund; null for a payment and for a refund that Stripe reported. */
  readonly creditNote: { readonly tax_cents: number; readonly reason: string } | null
  readonly invoice: ListedInvoice
  readonly lines: readonly LedgerLine[]
  /** What was credited on the invoice, or is due on replacement invoices, and since when. */
  readonly reductions: readonly { readonly cents: number; readonly at: string }[]
}

/** The receipt of a payment or a refund; null when it is unknown. */
export async function readReceipt(paymentId: string): Promise<ReceiptData | null> {
  if (!isUuid(paymentId)) return null
  const { data } = await requestData((service) =>
    service
      .from('payments')
      .select('invoice_id, credit_note_id')
      .eq('id', paymentId)
      .in('kind', ['payment', 'refund'])
      .limit(1),
  )
  const invoiceId = data[0]?.invoice_id
  // The receipt of a deposit, which has no invoice, is sent by email only.
  if (invoiceId === undefined || invoiceId === null) return null
  const [invoice, lines, creditNote, reductions] = await Promise.all([
    readListedInvoice(invoiceId),
    listLedgerLines(invoiceId),
    readCreditNote(data[0]?.credit_note_id ?? null),
    listReductions(invoiceId),
  ])
  const payment = lines.find(({ id }) => id === paymentId)
  return invoice && payment ? { payment, creditNote, invoice, lines, reductions } : null
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
