import type Stripe from 'stripe'
import { addDays, daysBetween } from '#domain/calendar/calendar-date.ts'
import { type Columns, money } from '#domain/text/csv.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { shopClock, shopInstant } from '#domain/calendar/shop-time.ts'
import { invoiceStatusLabel } from '#domain/bookings/state-labels.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * The data about an invoice that only the shop's database contains. The totals of parts, labor, fees, sublet work and
 * discounts are null unless the invoice bills an estimate.
 */
type InvoiceRecord = {
  readonly invoice_id: string
  readonly known_name: string
  readonly is_erased: boolean
  readonly estimate_number: string | null
  readonly parts_cents: LineCents
  readonly labor_cents: LineCents
  readonly fees_cents: LineCents
  readonly sublet_cents: LineCents
  readonly discount_cents: LineCents
  readonly credited_cents: BigintCents
  readonly paid_cents: BigintCents
  readonly balance_cents: BigintCents
  readonly last_paid_on: string | null
  readonly replaces: string | null
}
/** An amount in cents as text, because PostgreSQL returns a bigint as text. */
type BigintCents = string
type LineCents = BigintCents | null

type Invoice = { readonly bill: Stripe.Invoice; readonly record: InvoiceRecord | undefined }

type Shop = { readonly stripe: Stripe; readonly database: Database }

/** The columns of the CSV file of invoices, in order (docs/product.md 16.26). */
export const invoiceColumns: Columns<Invoice> = {
  Number: ({ bill }) => bill.number,
  Date: ({ bill }) => dateOf(bill.created),
  Due: ({ bill }) => dateOf(bill.due_date),
  Customer: ({ bill, record }) => (record?.is_erased ? record.known_name : bill.customer_name),
  Email: ({ bill, record }) => (record?.is_erased ? null : bill.customer_email),
  Estimate: ({ record }) => record?.estimate_number,
  'Parts (USD)': (row) => dollarsOf(row, row.record?.parts_cents),
  'Labor (USD)': (row) => dollarsOf(row, row.record?.labor_cents),
  'Fees (USD)': (row) => dollarsOf(row, row.record?.fees_cents),
  'Sublet (USD)': (row) => dollarsOf(row, row.record?.sublet_cents),
  'Discount (USD)': (row) => dollarsOf(row, row.record?.discount_cents),
  'Before tax (USD)': (row) => dollarsOf(row, row.bill.total - taxCents(row.bill)),
  'Tax (USD)': (row) => dollarsOf(row, taxCents(row.bill)),
  'Total (USD)': (row) => dollarsOf(row, row.bill.total),
  'Credited (USD)': (row) => dollarsOf(row, creditedCents(row)),
  'Paid (USD)': (row) => dollarsOf(row, paidCents(row)),
  'Balance (USD)': (row) => dollarsOf(row, balanceCents(row)),
  'Paid on': (row) => (balanceCents(row) === 0 ? paidOn(row) : null),
  State: ({ bill }) => invoiceStatusLabel(bill.status ?? ''),
  'In another currency': (row) =>
    isInDollars(row.bill)
      ? ''
      : `${formatCents(row.bill.total, row.bill.currency)}, paid ${formatCents(paidCents(row), row.bill.currency)}`,
  Replaces: ({ record }) => record?.replaces,
}

// When staff enter a payment or credit note, the server stores it in the shop's database, and a job reports it to
// Stripe later. An invoice that was created at Stripe, not by this site, has no record in the shop's database, so its
// payments are read from Stripe.
const creditedCents = ({ bill, record }: Invoice) =>
  Number(
    record?.credited_cents ??
      bill.pre_payment_credit_notes_amount + bill.post_payment_credit_notes_amount,
  )

const paidCents = ({ bill, record }: Invoice) => Number(record?.paid_cents ?? bill.amount_paid)

const balanceCents = ({ bill, record }: Invoice) =>
  Number(record?.balance_cents ?? bill.amount_remaining)

const paidOn = ({ bill, record }: Invoice) =>
  record?.last_paid_on ?? dateOf(bill.status_transitions.paid_at)

const isInDollars = ({ currency }: Stripe.Invoice) => currency === 'usd'

/** Leaves the amounts empty for an invoice that is not in US dollars, so that the dollar columns can be summed. */
const dollarsOf = ({ bill }: Invoice, cents: number | LineCents | undefined) =>
  isInDollars(bill) ? money(cents === null || cents === undefined ? null : Number(cents)) : null

const taxCents = ({ total_taxes: taxes }: Stripe.Invoice) =>
  (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)

const dateOf = (seconds: number | null) =>
  seconds === null ? null : shopClock(new Date(seconds * 1000)).date

/** The maximum page size of the Stripe API. */
const pageRows = 100

/**
 * Yields the invoices that were created in a range, oldest first, without drafts. Stripe's data is authoritative,
 * except for credit notes, the paid amount and the balance. Stripe lists the newest invoices first. The function
 * therefore splits a date range with more than one page of invoices into halves, and never keeps more than one page in
 * memory, except for the invoices of a single day. Throws the errors of the Stripe SDK.
 */
export async function* listInvoices(shop: Shop, range: DateRange): AsyncGenerator<Invoice[]> {
  const page = await fetchPage(shop.stripe, range)
  if (!page.has_more) return yield describe(shop, page.data)
  const days = daysBetween(range.from, range.to)
  if (days === 0) return yield describe(shop, await readOn(shop.stripe, range, page.data))
  const middle = addDays(range.from, Math.floor(days / 2))
  yield* listInvoices(shop, { from: range.from, to: middle })
  yield* listInvoices(shop, { from: addDays(middle, 1), to: range.to })
}

function fetchPage(stripe: Stripe, { from, to }: DateRange, after?: string) {
  return stripe.invoices.list({
    limit: pageRows,
    created: { gte: secondsOf(from), lt: secondsOf(addDays(to, 1)) },
    ...(after && { starting_after: after }),
  })
}

const secondsOf = (date: string) => shopInstant(date, '00:00').getTime() / 1000

async function readOn(
  stripe: Stripe,
  range: DateRange,
  first: readonly Stripe.Invoice[],
): Promise<Stripe.Invoice[]> {
  const read = [...first]
  let hasMore = true
  while (hasMore) {
    const page = await fetchPage(stripe, range, read.at(-1)?.id)
    read.push(...page.data)
    hasMore = page.has_more
  }
  return read
}

async function describe(
  { database }: Shop,
  newestFirst: readonly Stripe.Invoice[],
): Promise<Invoice[]> {
  const bills = newestFirst.filter(({ status }) => status !== 'draft').toReversed()
  if (bills.length === 0) return []
  const ids = bills.map(({ id }) => id)
  const rows = await database.transaction(asServer, async (query) =>
    rowsAs<InvoiceRecord>(
      await query('select * from internal.describe_invoice_records($1)', [ids]),
    ),
  )
  const record = new Map(rows.map((row) => [row.invoice_id, row]))
  return bills.map((bill) => ({ bill, record: record.get(bill.id) }))
}
