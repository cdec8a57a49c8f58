import type pg from 'pg'
import { invoiceList } from '#contracts/invoices/invoice-list.ts'
import { invoiceFilters } from '#domain/invoices/invoice-filters.ts'
import { bringUpToDate, poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { type Database, openDatabase } from '@local/postgres'
import { addTestOwner } from '#tests/support/database/database.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { quantile } from './dashboard-fixtures.ts'
import { createDatabase, startPostgres } from './prepared.ts'
import { amountOf } from './smoke.ts'

// Measures the list of invoices in three shops: one with 100 invoices, one with 100,000 of which at most 300 are open,
// and one with 100,000 of which at most 4,000 are open. In each shop, the bench measures every filter of the list with
// its balances and sums, and the page Today. For comparison, the bench measures the bare SQL of one filter, which reads
// 50 rows from an index and no ledger.
//   npm run bench -- invoices      (BENCH_RUNS: runs of each measurement, 25 by default)

const shops = [
  { invoices: 100, open: 300 },
  { invoices: amountOf(100_000, 200), open: 300 },
  { invoices: amountOf(100_000, 201), open: 4000 },
] as const
type BenchShop = { readonly invoices: number; readonly open: number }
const runs = amountOf(25, 1, 'BENCH_RUNS')
const warmUps = amountOf(5, 0)

const server = await startPostgres()
try {
  for (const shop of shops) await measureShop(shop)
} finally {
  await server.stop()
}

/**
 * Creates a shop with the given number of invoices, and prints how long the list of invoices takes to load with each
 * filter.
 */
async function measureShop({ invoices, open }: BenchShop): Promise<void> {
  const url = await createDatabase(server, `invoices_${invoices}_${open}`)
  await bringUpToDate(url)
  const owner = openPool(url, 1)
  const database = openDatabase(poolUrlOf(url))
  try {
    await addTestOwner(owner)
    await fill(owner, { invoices, open })
    console.log(
      `${`\n${invoices} invoices, at most ${open} open, ms`.padEnd(38)}      p50      p95   /floor`,
    )
    const floor = await time(() => readOpen(owner))
    print('floor: 50 open invoices, bare SQL', floor, floor)
    for (const filter of invoiceFilters) {
      print(`list, ${filter}`, await time(() => readList(database, filter)), floor)
    }
    print('Today', await time(() => readToday(database)), floor)
  } finally {
    await Promise.all([owner.end(), database.close()])
  }
}

/**
 * Inserts the invoices of a thousand days. At most `open` invoices are open, and a quarter of the open invoices is
 * partly paid. Of 100 other invoices, one is void and one is written off; a tenth of the paid invoices was refunded.
 */
async function fill(owner: pg.Pool, { invoices, open }: BenchShop): Promise<void> {
  await owner.query('alter table public.invoices disable trigger user')
  await owner.query('alter table public.payments disable trigger user')
  await owner.query(
    `insert into public.invoices (invoice_id, number, customer_name, total_cents, tax_cents, due_date, currency, status, created_at,
       voided_at, written_off_at)
     select 'in_' || n, 'INV-' || n, 'Customer ' || n % 5000, 40000 + n % 1000, 900, current_date - n * 1000 / $1 + 7, 'usd',
       case when n % 100 = 5 then 'void' when n % 100 = 4 then 'uncollectible' when n % 7 = 0 and n < $2 then 'open' else 'paid' end,
       now() - n * interval '1000 days' / $1, case n % 100 when 5 then now() end, case n % 100 when 4 then now() end
     from generate_series(0, $1 - 1) n`,
    [invoices, open * 7],
  )
  await owner.query(
    `insert into public.payments (invoice_id, kind, method, amount_cents, currency, business_date, paid_at, recorded_by_name)
     select invoice_id, 'payment', 'cash', case status when 'open' then 10000 else total_cents end, 'usd', created_at::date, created_at, 'ana'
     from public.invoices where status = 'paid' or (status = 'open' and substr(invoice_id, 4)::integer % 4 = 3)`,
  )
  await owner.query(
    `insert into public.payments (invoice_id, kind, method, original_id, amount_cents, currency, business_date, paid_at, recorded_by_name)
     select invoice_id, 'refund', method, id, -amount_cents, currency, business_date, paid_at, 'ana'
     from public.payments where substr(invoice_id, 4)::integer % 10 = 7`,
  )
  await owner.query(
    `insert into public.credit_notes (invoice_id, kind, amount_cents, tax_cents, reason, created_by_name, business_date)
     select invoice_id, 'refund', -amount_cents, 0, 'As agreed', 'ana', business_date from public.payments where kind = 'refund'`,
  )
  await owner.query('alter table public.invoices enable trigger user')
  await owner.query('alter table public.payments enable trigger user')
  await owner.query('vacuum analyze')
}

function readOpen(owner: pg.Pool): Promise<unknown> {
  return owner.query(
    `select * from public.invoices where status = 'open' order by created_at desc limit 50`,
  )
}

async function readList(database: Database, filter: string): Promise<void> {
  const [row] = await database.transaction(admin, (query) =>
    query.unchecked<{ list: unknown }>('select public.list_invoices($1, 50) as list', [filter]),
  )
  if (invoiceList.parse(row?.list).invoices.length === 0) throw new Error(`No invoice is ${filter}`)
}

async function readToday(database: Database): Promise<void> {
  await database.transaction(admin, (query) => query.unchecked('select public.read_today()'))
}

async function time(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let run = -warmUps; run < runs; run += 1) {
    const started = performance.now()
    await work()
    if (run >= 0) times.push(performance.now() - started)
  }
  return times
}

function print(name: string, times: readonly number[], floor: readonly number[]): void {
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.95)]
  const ratio = `${(half / quantile(floor, 0.5)).toFixed(1)} x`
  const figures = [half.toFixed(2), most.toFixed(2), ratio].map((figure) => figure.padStart(9))
  console.log(`${name.padEnd(37)}${figures.join('')}`)
}
