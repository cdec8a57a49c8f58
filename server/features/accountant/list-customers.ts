import { type Columns, money } from '#domain/text/csv.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { firstId, pageRows, readPages } from './pages.ts'

type CustomerRow = {
  readonly id: string
  readonly since: string
  readonly first_seen: string
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly appointment_count: number
  readonly missed: number
  readonly invoices: number
  /** An amount in cents as text, because PostgreSQL returns a bigint as text. */
  readonly invoiced_cents: string
  readonly paid_cents: string
}

/** The columns of the CSV file of customers, in order (docs/product.md 16.26). */
export const customerColumns: Columns<CustomerRow> = {
  Name: (row) => row.name,
  Email: (row) => row.email,
  Phone: (row) => row.phone,
  'First seen': (row) => row.first_seen,
  Visits: (row) => row.appointment_count,
  Missed: (row) => row.missed,
  Invoices: (row) => row.invoices,
  'Invoiced (USD)': (row) => money(Number(row.invoiced_cents)),
  'Paid (USD)': (row) => money(Number(row.paid_cents)),
}

/**
 * Lists the customers with a booking, quote request, estimate, invoice, payment or email in the date range, in the
 * order in which the customer records were created.
 */
export function listCustomers(
  { database }: { readonly database: Database },
  { from, to }: DateRange,
): AsyncGenerator<CustomerRow[]> {
  return readPages({ since: '-infinity', id: firstId }, ({ since, id }) =>
    readPage(database, [from, to, since, id, pageRows]),
  )
}

function readPage(
  database: Database,
  parameters: [from: string, to: string, since: string, id: string, atMost: number],
): Promise<CustomerRow[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<CustomerRow>(
      await query('select * from internal.list_customer_records($1, $2, $3, $4, $5)', parameters),
    ),
  )
}
