import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** The database columns of the type `LedgerLine`. */
export const ledgerLineColumns =
  'id, invoice_id, kind, method, original_id, amount_cents, currency, reference, note, recorded_by_name, paid_at, recorded_at'

/** Reads the ledger lines of an invoice, oldest first. */
export async function listLedgerLines(invoiceId: string): Promise<LedgerLine[]> {
  const { data } = await requestData((service) =>
    service
      .from('payments')
      .select(ledgerLineColumns)
      .eq('invoice_id', invoiceId)
      .order('recorded_at'),
  )
  return data
}
