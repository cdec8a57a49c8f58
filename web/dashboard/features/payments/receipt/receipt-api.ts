import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { isUuid } from '#web/lib/is-uuid.ts'
import { readListedInvoice } from '#web/dashboard/kit/payments/invoice-list-api.ts'
import { listLedgerLines } from '#web/dashboard/kit/payments/ledger-lines-api.ts'

/** What a receipt shows: the payment, its invoice, and all lines of that invoice. */
export type ReceiptData = {
  readonly payment: LedgerLine
  readonly invoice: ListedInvoice
  readonly lines: readonly LedgerLine[]
}

/** The receipt of a payment; null when the payment is unknown. */
export async function readReceipt(paymentId: string): Promise<ReceiptData | null> {
  if (!isUuid(paymentId)) return null
  const { data } = await requestData((service) =>
    service
      .from('payments')
      .select('invoice_id')
      .eq('id', paymentId)
      .eq('kind', 'payment')
      .limit(1),
  )
  const invoiceId = data[0]?.invoice_id
  // The receipt of a deposit, which has no invoice, is sent by email only.
  if (invoiceId === undefined || invoiceId === null) return null
  const [invoice, lines] = await Promise.all([
    readListedInvoice(invoiceId),
    listLedgerLines(invoiceId),
  ])
  const payment = lines.find(({ id }) => id === paymentId)
  return invoice && payment ? { payment, invoice, lines } : null
}
