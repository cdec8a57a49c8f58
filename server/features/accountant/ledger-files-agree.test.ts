import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { paymentMethodNames } from '#domain/money/payment-method-names.ts'
import { type Columns, streamCsv } from '#domain/text/csv.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  anyLedgerHistory,
  historyOfEveryKind,
  playLedgerHistory,
} from '#tests/support/database/any-ledger-history.ts'
import { listPayments, listRefunds, paymentColumns, refundColumns } from './list-ledger.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

/** The business dates of the randomly generated ledger entries. */
const range = { from: '2026-10-30', to: '2026-11-03' }
const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03']

async function read<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
  return (await shop.owner.query<Row>(sql, values)).rows
}

type Cells = Readonly<Record<string, string>>

/** Parses a CSV file into its rows, as a spreadsheet program does. */
async function rowsOf<Row>(columns: Columns<Row>, pages: AsyncIterable<Row[]>): Promise<Cells[]> {
  const text = (await Array.fromAsync(streamCsv(columns, pages))).join('')
  const [head = [], ...rows] = text
    .replace(/^\u{feff}/u, '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
        String(quoted ?? plain),
      ),
    )
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
}

/** Converts an amount with two decimals to cents. Returns 0 for an empty cell. */
const centsOf = (cell = '') => Number(cell.replace('.', ''))

/** Computes the result of the database function payments_of_day from the rows of the payments and refunds files. */
function receivedOn(day: string, payments: readonly Cells[], refunds: readonly Cells[]) {
  const isOfDay = (row: Cells) => row['Business date'] === day && row['Currency'] === 'USD'
  const rows = payments.concat(refunds).filter(isOfDay)
  const sum = (some: readonly Cells[]) =>
    some.reduce((cents, row) => cents + centsOf(row['Amount (USD)']), 0)
  return {
    receivedCents: sum(rows),
    payments: payments.filter(isOfDay).length,
    refunds: refunds.filter((row) => isOfDay(row) && row['Kind'] === 'Refund').length,
    methods: Object.entries(paymentMethodNames)
      .map(([method, name]) => ({
        method,
        cents: sum(rows.filter((row) => row['Method'] === name)),
      }))
      .filter(({ cents }) => cents !== 0)
      .toSorted((one, other) => one.method.localeCompare(other.method)),
  }
}

/** Sums the amounts in the rows of the payments and refunds files by invoice, in cents. */
function sumByInvoice(rows: readonly Cells[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const invoice = row['Invoice'] ?? ''
    const cents =
      centsOf(row['Amount (USD)']) +
      centsOf(row['Rounding (USD)']) +
      centsOf(row['Customer credit (USD)'])
    if (row['Currency'] === 'USD') sums.set(invoice, (sums.get(invoice) ?? 0) + cents)
  }
  return sums
}

it('After any sequence of payments and corrections, the payments and refunds files add up to the sums on the Today page for each method and day, and to the sums of each invoice', async () => {
  await fc.assert(
    fc.asyncProperty(anyLedgerHistory, async (history) => {
      await playLedgerHistory(shop, history)
      const payments = await rowsOf(paymentColumns, listPayments(shop, range))
      const refunds = await rowsOf(refundColumns, listRefunds(shop, range))
      for (const day of days) {
        const [today] = await read<{ received: unknown }>(
          'select internal.payments_of_day($1) as received',
          [day],
        )
        expect({ day, ...receivedOn(day, payments, refunds) }).toEqual({
          day,
          ...(today?.received as object),
        })
      }
      const ledger = await read<{ invoice_id: string; cents: number }>(
        `select invoice_id, sum(amount_cents)::integer as cents from public.payments where currency = 'usd' group by invoice_id`,
        [],
      )
      expect(sumByInvoice(payments.concat(refunds))).toEqual(
        new Map(ledger.map((row) => [row.invoice_id, row.cents])),
      )
    }),
    // After a failure, fast-check would retry shorter histories of payments. The database would still contain the rows
    // of the failed history, so `endOnFailure` prevents these retries.
    { numRuns: 40, endOnFailure: true, examples: [[historyOfEveryKind]] },
  )
  const kinds = (await rowsOf(refundColumns, listRefunds(shop, range))).map((row) => row['Kind'])
  expect(new Set(kinds).size).toBe(4)
}, 60_000)
