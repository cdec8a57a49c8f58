import type { DateRange } from '#domain/calendar/date-range.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { type Columns, money } from '#domain/text/csv.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { pageRows, readPages } from './pages.ts'

/** An invoice that staff wrote off. Amounts are text, because PostgreSQL returns a bigint as text. */
type WriteOff = {
  readonly id: string
  readonly happened_at: string
  readonly written_off_on: string
  readonly written_off_time: string
  readonly invoice_number: string
  readonly customer: string
  readonly amount_cents: string
  readonly balance_cents: string
  readonly currency: string
  readonly reason: string
  readonly recorded_by: string
}

/** The columns of the CSV file of write-offs, in order (docs/product.md 16.26). */
export const writeOffColumns: Columns<WriteOff> = {
  Date: (row) => row.written_off_on,
  Time: (row) => row.written_off_time.slice(0, 5),
  Invoice: (row) => row.invoice_number,
  Customer: (row) => row.customer,
  'Written off (USD)': (row) => dollarsOf(row, row.amount_cents),
  'Balance now (USD)': (row) => dollarsOf(row, row.balance_cents),
  'In another currency': ({ amount_cents: cents, currency }) =>
    currency === 'usd' ? '' : formatCents(Number(cents), currency),
  Reason: (row) => row.reason,
  'Recorded by': (row) => row.recorded_by,
}

const dollarsOf = ({ currency }: WriteOff, cents: string) =>
  currency === 'usd' ? money(Number(cents)) : null

/** Lists the write-offs in a range of dates in the shop's time zone, oldest first. */
export function listWriteOffs(
  { database }: { readonly database: Database },
  { from, to }: DateRange,
): AsyncGenerator<WriteOff[]> {
  const first = { happened_at: '-infinity', id: '0' }
  return readPages(first, ({ happened_at: happenedAt, id }) =>
    database.transaction(asServer, async (query) =>
      rowsAs<WriteOff>(
        await query('select * from internal.list_write_off_records($1, $2, $3, $4, $5)', [
          from,
          happenedAt,
          id,
          to,
          pageRows,
        ]),
      ),
    ),
  )
}
