import { useQuery } from '@tanstack/react-query'
import { listLedgerLines } from './ledger-lines-api.ts'

/** Reads the current ledger lines of an invoice. */
export function useLedgerLines(invoiceId: string) {
  return useQuery({
    queryKey: ['invoices', 'ledger-lines', invoiceId],
    queryFn: () => listLedgerLines(invoiceId),
  })
}
