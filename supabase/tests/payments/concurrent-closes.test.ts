import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PoolClient } from 'pg'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, '2026-11-28T03:00:00Z')
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(
    truncateTables('public.payments', 'public.day_closes', 'public.cash_movements'),
  )
  await shop.owner.query(insertPayment, [1000])
})

const insertPayment = `insert into public.payments (invoice_id, kind, method, amount_cents, currency, paid_at)
  values ('in_one', 'payment', 'cash', $1, 'usd', internal.current_instant())`

const closeOf = (cents: number) => ({
  date: '2026-11-27',
  startCents: 0,
  counted: { 1: cents % 100, 100: Math.floor(cents / 100) },
  seenExpectedCents: cents,
  remainsCents: 0,
})
const close = (cents: number) =>
  shop.database.transaction(admin, (query) =>
    query.unchecked('select public.close_day($1)', [closeOf(cents)]),
  )
/** Waits until the database has closed the day or refused to close it; returns 'closed', or the hint of the error. */
const outcomeOf = async (closing: Promise<unknown>): Promise<string> =>
  closing.then(
    () => 'closed',
    (error: { hint?: string }) => error.hint ?? 'failed',
  )

/** Waits until a transaction is blocked by a lock of another transaction. */
async function untilOneWaits(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await shop.owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length
    })
    .toBeGreaterThan(0)
}

async function inTransaction(work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await shop.owner.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const days = async () => {
  const { rows } = await shop.owner.query<{ line: string }>(
    `select amount_cents || ' on ' || business_date as line from public.payments order by amount_cents`,
  )
  return rows.map(({ line }) => line)
}

it('a business day is closed once when two employees close it at the same time', async () => {
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => outcomeOf(close(1000))))
  expect(outcomes.toSorted()).toEqual([
    'already_closed',
    'already_closed',
    'already_closed',
    'closed',
  ])
})

it('a day close waits for a payment that is being recorded, and then counts it', async () => {
  let closing = Promise.resolve('not begun')
  await inTransaction(async (client) => {
    await client.query(insertPayment, [6000])
    closing = outcomeOf(close(1000))
    await untilOneWaits()
  })
  expect(await closing).toBe('expected_changed')
  expect(await outcomeOf(close(7000))).toBe('closed')
  expect(await days()).toEqual(['1000 on 2026-11-27', '6000 on 2026-11-27'])
})

it('a payment that waits until a day close is saved gets the next business date', async () => {
  let paying: Promise<unknown> = Promise.resolve()
  await inTransaction(async (client) => {
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify(admin.claims),
    ])
    await client.query('select public.close_day($1)', [closeOf(1000)])
    paying = shop.owner.query(insertPayment, [6000])
    await untilOneWaits()
  })
  await paying
  expect(await days()).toEqual(['1000 on 2026-11-27', '6000 on 2026-11-28'])
})

it('a day close counts every payment of its day while many payments are recorded', async () => {
  const payments = Array.from({ length: 40 }, (_, index) =>
    shop.owner.query(insertPayment, [100 + index]),
  )
  let expected = 1000
  for (;;) {
    const { rows } = await shop.owner.query<{ cents: number }>(
      `select (internal.cash_of_day('2026-11-27') ->> 'changeCents')::integer as cents`,
    )
    expected = rows[0]?.cents ?? 0
    if ((await outcomeOf(close(expected))) === 'closed') break
  }
  await Promise.all(payments)
  const { rows } = await shop.owner.query(
    `select (select sum(amount_cents)::integer from public.payments where business_date = '2026-11-27') as counted,
       (select count(*)::integer from public.payments) as lines`,
  )
  expect(rows).toEqual([{ counted: expected, lines: 41 }])
})
