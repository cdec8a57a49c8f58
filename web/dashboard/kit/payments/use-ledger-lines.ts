import { useQuery } from '@tanstack/react-query'
import { listLedgerLines } from './ledger-lines-api.ts'

/** The current lines of the ledger about an invoice. */
export function useLedgerLines(invoiceId: string) {
  return useQuery({
    queryKey: ['invoices', 'ledger-lines', invoiceId],
    queryFn: () => listLedgerLines(invoiceId),
  })
}
