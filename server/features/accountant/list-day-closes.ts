import type { CloseReason } from '#contracts/payments/day-close.ts'
import { addDays } from '#domain/calendar/calendar-date.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { type Columns, money } from '#domain/text/csv.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { pageRows, readPages } from './pages.ts'

/**
 * The cash count at the end of a business day, with amounts in US cents. Amounts are text, because PostgreSQL
 * returns a bigint as text.
 */
type DayCloseRecord = {
  readonly business_date: string
  readonly drawer: string
  readonly start_cents: number
  readonly expected_cents: number
  readonly counted_cents: number
  readonly terminal_expected_cents: number
  readonly terminal_counted_cents: number | null
  readonly check_expected_cents: number
  readonly check_counted_cents: number | null
  readonly rounding_cents: string
  readonly remains_cents: number
  readonly corrected_cents: string
  readonly reason: CloseReason | null
  readonly note: string | null
  readonly closed_by: string
  readonly closed_on: string
  readonly closed_time: string
}

/** The counted cash minus the expected cash; negative when cash is missing, null when nobody counted the cash. */
const difference = (counted: number | null, expected: number) =>
  money(counted === null ? null : counted - expected)

/**
 * The columns of the CSV file of day closes (cash counts at the end of a business day), in order (docs/product.md
 * 16.26).
 */
export const dayCloseColumns: Columns<DayCloseRecord> = {
  'Business date': (row) => row.business_date,
  Drawer: (row) => row.drawer,
  'Start (USD)': (row) => money(row.start_cents),
  'Cash expected (USD)': (row) => money(row.expected_cents),
  'Cash counted (USD)': (row) => money(row.counted_cents),
  'Cash difference (USD)': (row) => difference(row.counted_cents, row.expected_cents),
  'Terminal expected (USD)': (row) => money(row.terminal_expected_cents),
  'Terminal difference (USD)': (row) =>
    difference(row.terminal_counted_cents, row.terminal_expected_cents),
  'Checks expected (USD)': (row) => money(row.check_expected_cents),
  'Checks difference (USD)': (row) => difference(row.check_counted_cents, row.check_expected_cents),
  'Cash rounding (USD)': (row) => money(Number(row.rounding_cents)),
  'Stays in the drawer (USD)': (row) => money(row.remains_cents),
  'To the bank (USD)': (row) => money(row.counted_cents - row.remains_cents),
  'Corrected later (USD)': (row) => money(Number(row.corrected_cents)),
  Reason: ({ reason }) => reason && reasonNames[reason],
  Note: (row) => row.note,
  'Closed by': (row) => row.closed_by,
  'Closed on': (row) => row.closed_on,
  'Closed at': (row) => row.closed_time.slice(0, 5),
}

const reasonNames: Readonly<Record<CloseReason, string>> = {
  wrong_change: 'Wrong change given',
  not_known: 'Cause unknown after two counts',
  other_method: 'Payment recorded under another method',
  paid_out_without_slip: 'Paid out without a slip',
  other: 'Other',
}

/** Lists the day closes (cash counts at the end of a business day) of a range of business dates, oldest first. */
export function listDayCloses(
  { database }: { readonly database: Database },
  { from, to }: DateRange,
): AsyncGenerator<DayCloseRecord[]> {
  return readPages({ business_date: addDays(from, -1) }, ({ business_date: after }) =>
    database.transaction(asServer, async (query) =>
      rowsAs<DayCloseRecord>(
        await query('select * from internal.list_day_close_records($1, $2, $3)', [
          after,
          to,
          pageRows,
        ]),
      ),
    ),
  )
}
