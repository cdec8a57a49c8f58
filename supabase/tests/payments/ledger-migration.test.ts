import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Database, openDatabase } from '@local/postgres'
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../scripts/migration/scratch-databases.ts'
import { poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { readMigrations } from '#server/platform/database/migration-files.ts'
import { migrate, migrateTo, sqlFolder } from '#server/platform/database/migrations.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { addUserOfEarlierAdmin, admin } from '#tests/support/database/database-fixtures.ts'

const { ownerUrl: serverUrl } = inject('testServer')
const days = [
  '2026-10-26',
  '2026-10-27',
  '2026-10-28',
  '2026-10-29',
  '2026-10-30',
  '2026-10-31',
  '2026-11-01',
]

let shop: ScratchDatabase
let database: Database
beforeAll(async () => {
  const migrations = await readMigrations(sqlFolder)
  const ledger = migrations.findIndex(({ name }) => name === 'one_ledger')
  shop = await createScratchDatabase(serverUrl, (url) =>
    migrateTo(url, migrations.slice(0, ledger)),
  )
  database = openDatabase(poolUrlOf(shop.ownerUrl))
  await addUserOfEarlierAdmin(shop.owner)
})
afterAll(async () => {
  await database.close()
  await shop.drop()
})

/**
 * Thirty customers with 150 invoices. Each invoice has no payment, one payment, an overpayment, or a payment and a
 * refunded second payment.
 */
async function fill(): Promise<void> {
  await shop.owner.query(`
    insert into public.customers (name, email, phone)
    select 'Customer ' || n, 'customer-' || n || '@example.com', '(650) 555-01' || lpad(n::text, 2, '0')
    from generate_series(1, 30) n;
    insert into public.invoices (invoice_id, number, customer_id, customer_name, total_cents, currency, status, created_at)
    select 'in_' || n, 'INV-' || n, customer.id, customer.name, 1000 + n * 37, 'usd',
      case n % 5 when 0 then 'open' when 1 then 'void' else 'paid' end, '2026-10-25T17:00:00Z'::timestamptz + n * interval '67 minutes'
    from generate_series(1, 150) n
    join (select *, row_number() over (order by name) as place from public.customers) customer on customer.place = n % 30 + 1;
    insert into public.payments (invoice_id, payment_intent_id, amount_cents, overpaid_cents, currency, outcome, refund_id, paid_at)
    select 'in_' || n, 'pi_' || n, 1000 + n * 37 + case when n % 7 = 0 then 250 else 0 end, case when n % 7 = 0 then 250 else 0 end,
      'usd', case when n % 7 = 0 then 'overpaid' else 'applied' end, null, '2026-10-25T18:00:00Z'::timestamptz + n * interval '67 minutes'
    from generate_series(1, 150) n where n % 5 >= 2 and n % 11 <> 0;
    insert into public.payments (invoice_id, payment_intent_id, amount_cents, currency, outcome, refund_id, paid_at)
    select 'in_' || n, 'pi_again_' || n, 1000 + n * 37, 'usd', 'refunded', 're_' || n,
      '2026-10-25T19:00:00Z'::timestamptz + n * interval '67 minutes'
    from generate_series(1, 150) n where n % 5 = 1 or n % 13 = 0`)
}

/** Reads the figures that the dashboard page of a customer and the accountant's file of customers show. */
async function readFigures() {
  const { rows: customers } = await shop.owner.query<{ id: string }>(
    'select id from public.customers order by name',
  )
  const pages = await database.transaction(admin, async (query) => {
    const read: unknown[] = []
    for (const { id } of customers) {
      const [row] = await query.unchecked<{ page: Record<string, unknown> }>(
        'select public.read_customer($1) as page',
        [id],
      )
      read.push([row?.page['totals'], row?.page['invoices']])
    }
    return read
  })
  const file = await database.transaction(asServer, (query) =>
    query.unchecked(
      `select name, invoices, invoiced_cents, paid_cents
       from internal.list_customer_records('2026-10-01', '2026-11-30', '-infinity', gen_random_uuid(), 1000)`,
    ),
  )
  return { pages, file }
}

/**
 * Reads the figures of the page Today for each day: the received amount in cents, and the number of refunds. `sql` is
 * the query for the schema before or after the migration.
 */
async function readReceived(sql: string) {
  const received: unknown[] = []
  for (const day of days) received.push((await shop.owner.query(sql, [day])).rows[0])
  return received
}

it('The migration of payments to the ledger keeps every figure on Today, on the customer page and in the accountant’s file', async () => {
  await fill()
  const before = await readFigures()
  const receivedBefore = await readReceived(
    `select coalesce(sum((kind ->> 'cents')::integer) filter (where kind ->> 'outcome' <> 'refunded'), 0)::integer as cents,
       coalesce(sum((kind ->> 'payments')::integer) filter (where kind ->> 'outcome' = 'refunded'), 0)::integer as refunds
     from jsonb_array_elements(internal.payments_of_day($1)) kind`,
  )
  await migrate(shop.ownerUrl)
  expect(await readFigures()).toEqual(before)
  expect(
    await readReceived(
      `select (received ->> 'receivedCents')::integer as cents, (received ->> 'refunds')::integer as refunds
       from internal.payments_of_day($1) received`,
    ),
  ).toEqual(receivedBefore)
  expect(receivedBefore).not.toContainEqual({ cents: 0, refunds: 0 })
  expect(before.file.length).toBe(30)
  const { rows } = await shop.owner.query(
    'select kind, count(*)::integer from public.payments group by kind order by kind',
  )
  expect(rows).toEqual([
    { kind: 'customer_credit', count: expect.any(Number) },
    { kind: 'payment', count: expect.any(Number) },
    { kind: 'refund', count: expect.any(Number) },
  ])
})
