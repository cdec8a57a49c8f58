import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { paymentMethodNames } from '#domain/money/payment-method-names.ts'
import { type Columns, money } from '#domain/text/csv.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { firstId, pageRows, readPages } from './pages.ts'

/** A ledger entry that increases or decreases the customer deposits that the shop holds. */
type DepositRecord = {
  readonly id: string
  readonly business_date: string
  readonly paid_at: string
  readonly paid_date: string
  readonly paid_time: string
  readonly kind: keyof typeof kindNames
  readonly estimate_number: string
  readonly invoice_number: string | null
  readonly customer: string | null
  readonly method: PaymentMethod
  readonly reference: string | null
  /**
   * The amount in US cents that the entry adds to the customer deposits; negative for a deposit that was returned or
   * applied to an invoice.
   */
  readonly amount_cents: number
  readonly recorded_by: string | null
  readonly payment_id: string
}

const kindNames = {
  payment: 'Taken',
  refund: 'Refunded',
  reversal: 'Reversed',
  applied_deposit: 'Applied to the invoice',
  unapplied_deposit: 'Removed from the invoice',
} as const

/** The columns of the CSV file of deposits, in order (docs/product.md 16.26). */
export const depositColumns: Columns<DepositRecord> = {
  'Business date': (row) => row.business_date,
  Date: (row) => row.paid_date,
  Time: (row) => row.paid_time.slice(0, 5),
  Kind: (row) => kindNames[row.kind],
  Estimate: (row) => row.estimate_number,
  Invoice: (row) => row.invoice_number,
  Customer: (row) => row.customer,
  Method: (row) => paymentMethodNames[row.method],
  Reference: (row) => row.reference,
  'Held deposits (USD)': (row) => money(row.amount_cents),
  'Recorded by': (row) => row.recorded_by,
  'Payment id': (row) => row.payment_id,
}

/** Lists the ledger entries that change the customer deposits, in a range of business dates, oldest first. */
export function listDeposits(
  { database }: { readonly database: Database },
  { from, to }: DateRange,
): AsyncGenerator<DepositRecord[]> {
  const first = { business_date: from, paid_at: '-infinity', id: firstId }
  return readPages(first, ({ business_date: date, paid_at: paidAt, id }) =>
    database.transaction(asServer, async (query) =>
      rowsAs<DepositRecord>(
        await query('select * from internal.list_deposit_records($1, $2, $3, $4, $5)', [
          date,
          paidAt,
          id,
          to,
          pageRows,
        ]),
      ),
    ),
  )
}
