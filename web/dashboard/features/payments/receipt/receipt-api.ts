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
  const [invoice, lines, creditNote] = await Promise.all([
    readListedInvoice(invoiceId),
    listLedgerLines(invoiceId),
    readCreditNote(data[0]?.credit_note_id ?? null),
  ])
  const payment = lines.find(({ id }) => id === paymentId)
  return invoice && payment ? { payment, creditNote, invoice, lines } : null
}

async function readCreditNote(id: string | null): Promise<ReceiptData['creditNote']> {
  if (id === null) return null
  const { data } = await requestData((service) =>
    service.from('credit_notes').select('tax_cents, reason').eq('id', id).limit(1),
  )
  return data[0] ?? null
}
