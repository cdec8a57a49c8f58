import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { type Columns, money } from '#domain/text/csv.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { paymentMethodNames } from '#domain/money/payment-method-names.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { firstId, pageRows, readPages } from './pages.ts'

/**
 * An entry of the payment ledger. If the entry is not a payment, the fields `payment_…` describe the payment to which
 * the entry refers.
 */
type LedgerRecord = Pick<
  LedgerLine,
  'id' | 'kind' | 'method' | 'reference' | 'amount_cents' | 'currency' | 'paid_at'
> & {
  readonly business_date: string
  readonly paid_date: string
  readonly paid_time: string
  readonly invoice_number: string
  readonly customer: string | null
  /** The cash rounding that was recorded together with a payment. */
  readonly rounding_cents: number
  readonly recorded_by: string | null
  readonly payment_id: string | null
  readonly payment_date: string | null
  readonly payment_method: LedgerLine['method'] | null
  readonly payment_reference: string | null
}

const dateColumns: Columns<LedgerRecord> = {
  'Business date': (row) => row.business_date,
  Date: (row) => row.paid_date,
  Time: (row) => row.paid_time.slice(0, 5),
}

const lineColumns: Columns<LedgerRecord> = {
  Invoice: (row) => row.invoice_number,
  Customer: (row) => row.customer,
  Method: (row) => paymentMethodNames[row.method],
  Reference: (row) => row.reference,
}

/** The columns of the CSV file of payments, in order (docs/product.md 16.26). */
export const paymentColumns: Columns<LedgerRecord> = {
  ...dateColumns,
  ...lineColumns,
  'Amount (USD)': (row) => dollarsOf(row, row.amount_cents),
  'Rounding (USD)': (row) => dollarsOf(row, row.rounding_cents),
  'In another currency': ({ amount_cents: amount, rounding_cents: rounding, currency }) =>
    currency === 'usd'
      ? ''
      : amountText(amount, currency) +
        (rounding === 0 ? '' : `, rounding ${amountText(rounding, currency)}`),
  Currency: (row) => row.currency.toUpperCase(),
  'Recorded by': (row) => row.recorded_by,
  'Payment id': (row) => row.id,
}

/**
 * The columns of the CSV file of refunds and other entries that refer to a payment, in order (docs/product.md 16.26).
 */
export const refundColumns: Columns<LedgerRecord> = {
  ...dateColumns,
  Kind: (row) => kindNames[row.kind],
  ...lineColumns,
  'Amount (USD)': (row) => (isReturned(row) ? dollarsOf(row, row.amount_cents) : null),
  'Customer credit (USD)': (row) =>
    row.kind === 'customer_credit' ? dollarsOf(row, row.amount_cents) : null,
  'Rounding (USD)': (row) =>
    row.kind === 'cash_rounding' ? dollarsOf(row, row.amount_cents) : null,
  'In another currency': ({ amount_cents: amount, currency }) =>
    currency === 'usd' ? '' : amountText(amount, currency),
  Currency: (row) => row.currency.toUpperCase(),
  'Recorded by': (row) => row.recorded_by,
  'Payment date': (row) => row.payment_date,
  'Payment method': ({ payment_method: method }) => method && paymentMethodNames[method],
  'Payment reference': (row) => row.payment_reference,
  'Payment id': (row) => row.payment_id,
}

const kindNames: Readonly<Record<LedgerLine['kind'], string>> = {
  payment: 'Payment',
  refund: 'Refund',
  reversal: 'Reversal',
  customer_credit: 'Customer credit',
  cash_rounding: 'Cash rounding',
  applied_deposit: 'Deposit applied',
}

/** Whether the ledger entry returned money to the customer. A customer credit and a cash rounding return no money. */
const isReturned = ({ kind }: LedgerRecord) => kind === 'refund' || kind === 'reversal'

/** Leaves an amount empty if the ledger entry is not in US dollars, so that the dollar columns can be summed. */
const dollarsOf = ({ currency }: LedgerRecord, cents: number) =>
  currency === 'usd' ? money(cents) : null

/**
 * Formats an amount in its currency. The minus sign is not a hyphen, because spreadsheet programs run a text that
 * begins with a hyphen as a formula.
 */
const amountText = (cents: number, currency: string) =>
  `${cents < 0 ? '−' : ''}${formatCents(Math.abs(cents), currency)}`

type Shop = { readonly database: Database }

/** Lists the payments in a range of business dates, oldest first. */
export const listPayments = (shop: Shop, range: DateRange) => listLedger(shop, range, true)

/**
 * Lists the refunds, reversals, customer credits and cash roundings in a range of business dates, oldest first.
 * Excludes cash roundings that were recorded together with a payment.
 */
export const listRefunds = (shop: Shop, range: DateRange) => listLedger(shop, range, false)

function listLedger(
  { database }: Shop,
  { from, to }: DateRange,
  wantsPayments: boolean,
): AsyncGenerator<LedgerRecord[]> {
  const first = { business_date: from, paid_at: '-infinity', id: firstId }
  return readPages(first, ({ business_date: date, paid_at: paidAt, id }) =>
    readPage(database, [wantsPayments, date, paidAt, id, to, pageRows]),
  )
}

function readPage(
  database: Database,
  parameters: [boolean, date: string, paidAt: string, id: string, until: string, atMost: number],
): Promise<LedgerRecord[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<LedgerRecord>(
      await query('select * from internal.list_ledger_records($1, $2, $3, $4, $5, $6)', parameters),
    ),
  )
}
