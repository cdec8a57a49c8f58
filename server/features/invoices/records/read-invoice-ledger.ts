import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** The balance and the payments of an invoice according to the shop's ledger. Amounts are in minor units (cents). */
export type InvoiceLedger = {
  readonly balanceCents: number
  readonly paidCents: number
  readonly isVoid: boolean
  /** Whether the invoice was created in the payment sandbox, although the shop now charges real cards. */
  readonly isTest: boolean
  /** The ledger entries of the invoice, oldest first. */
  readonly lines: readonly LedgerEntry[]
}

type LedgerEntry = Pick<LedgerLine, 'kind' | 'method' | 'reference'> & {
  readonly amountCents: number
  /** Seconds since 1970. */
  readonly paidAt: number
}

/** Reads the ledger of an invoice; undefined for an invoice that the shop has not recorded yet. */
export async function readInvoiceLedger(
  database: Database,
  invoiceId: string,
): Promise<InvoiceLedger | undefined> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ ledger: InvoiceLedger | null }>(
      await query('select internal.read_invoice_ledger($1) as ledger', [invoiceId]),
    ),
  )
  return row?.ledger ?? undefined
}
