import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  runVisitAction,
  addService,
  admin,
  bookingRow,
  insertRow,
  formBot,
  refusalTo,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, 30 minutes', 30)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings'))
  await setShopClock(shop.owner, fixtureClock)
})

/**
 * Books the half-hour slot number `nth` of Saturday, November 28, for one customer, with another spelling of the same
 * email address each time.
 */
async function book(nth: number, identity: Identity = visitor): Promise<string> {
  const minute = 510 + nth * 30
  const row = bookingRow(serviceId, {
    appointment_time: `${Math.floor(minute / 60)}:${minute % 60 === 0 ? '00' : '30'}`,
    customer_email: `dana+${nth}@example.com`,
  })
  await shop.database.transaction(identity, (query) => insertRow(query, 'bookings', row))
  const { rows } = await shop.owner.query<{ id: string }>(
    'select id from public.bookings order by created_at desc limit 1',
  )
  return rows[0]?.id ?? ''
}
async function bookFive(from: number, identity: Identity = visitor): Promise<string[]> {
  const ids: string[] = []
  // oxlint-disable-next-line no-await-in-loop -- the limit counts earlier bookings
  for (let nth = from; nth < from + 5; nth += 1) ids.push(await book(nth, identity))
  return ids
}

const runQuery = <Row extends object>(identity: Identity, sql: string, values: unknown[]) =>
  shop.database.transaction(identity, (query) =>
    query.unchecked<Row & Record<string, unknown>>(sql, values),
  )
const callByLink = (
  procedure: 'cancel_booking_by_customer' | 'undo_cancellation_by_customer',
  id: string,
) =>
  runVisitAction(
    shop.database,
    `internal.${procedure}($1, (select calendar_sequence from public.bookings where id = $1))`,
    [id],
  )
const cancelByLink = (id: string) => callByLink('cancel_booking_by_customer', id)
const restoreByLink = (id: string) => callByLink('undo_cancellation_by_customer', id)
const click = async (id: string) => {
  const [row] = await runQuery<{ outcome: string }>(
    asServer,
    'select internal.confirm_held_booking($1) as outcome',
    [id],
  )
  return row?.outcome
}
const cancelByStaff = (ids: string[]) => runQuery(admin, 'select public.cancel_bookings($1)', [ids])
const undoByStaff = async (ids: string[]) => {
  const rows = await runQuery<{ id: string }>(
    admin,
    'select id from public.reopen_bookings($1) as id',
    [ids],
  )
  return rows.map(({ id }) => id)
}
/** Counts the open bookings, except bookings that wait for the customer's confirmation. */
async function countOpen(): Promise<number> {
  const { rows } = await shop.owner.query<{ count: number }>(
    `select count(*)::int as count from public.bookings
     where status not in ('cancelled', 'not_confirmed', 'no_show') and completed_at is null and held_until is null`,
  )
  return rows[0]?.count ?? -1
}

/** Inserts bookings of different customers, twenty a day, from the given date backwards. */
const insertBookings = (count: number, lastDate: string, completedAt: string | null) =>
  shop.owner.query(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, service_name, notified_starts_at, completed_at, completed_by)
     select $1, day, at, 30, 'Dana', 'dana' || n || '@customer.example', '(650) 555-01' || n % 100, 'Oil', day + at,
       $4, case when $4::timestamptz is not null then 'admin' end
     from generate_series(0, $2 - 1) n,
       lateral (select $3::date - n / 20 as day, time '08:00' + n % 20 * interval '30 minutes' as at) as their`,
    [serviceId, count, lastDate, completedAt],
  )

it('inserting a booking normalizes only its own contact details, even with 200 open bookings of other customers', async () => {
  await shop.owner.query('alter table public.bookings disable trigger user')
  await insertBookings(2_000, '2026-11-19', fixtureClock)
  // The statistics of PostgreSQL describe only past bookings, as in a shop whose upcoming bookings are newer than the
  // last update of the statistics.
  await shop.owner.query('vacuum analyze public.bookings')
  await insertBookings(200, '2026-12-08', null)
  await shop.owner.query('alter table public.bookings enable trigger user')
  const row = bookingRow(serviceId, { appointment_date: '2026-12-09' })
  const columns = Object.keys(row)
  const client = await shop.owner.connect()
  const countCalls = async () => {
    const { rows } = await client.query<{ calls: number }>(
      `select coalesce(sum(calls), 0)::integer as calls from pg_stat_xact_user_functions
       where funcname in ('normalize_mailbox', 'normalize_phone')`,
    )
    return rows[0]?.calls ?? 0
  }
  try {
    await client.query(`begin; set local track_functions = 'all'; set local role anon`)
    // PostgreSQL's count of function calls may include earlier transactions of this connection, so the test subtracts
    // the count from before the insert.
    const before = await countCalls()
    await client.query(
      `insert into public.bookings (${columns.join(', ')}) values (${columns.map((_, nth) => `$${nth + 1}`).join(', ')})`,
      Object.values(row),
    )
    const calls = (await countCalls()) - before
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThan(10)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

describe('the limit of five open bookings for a customer', () => {
  it('causes the sixth open booking to be held for confirmation', async () => {
    await bookFive(0)
    await book(5)
    expect(await countOpen()).toBe(5)
  })

  it('refuses to restore a cancelled booking as the sixth open one', async () => {
    const first = await bookFive(0)
    for (const id of first) expect(await cancelByLink(id)).toBe('cancelled')
    await bookFive(5)
    for (const id of first) expect(await restoreByLink(id)).toBe('refused: too_many')
    expect(await countOpen()).toBe(5)
  })

  it('is not exceeded when a customer restores cancelled bookings concurrently', async () => {
    const first = await bookFive(0)
    for (const id of first) await cancelByLink(id)
    await bookFive(5)
    const { rows } = await shop.owner.query<{ id: string }>(
      `select id from public.bookings where status = 'confirmed' limit 2`,
    )
    for (const { id } of rows) await cancelByLink(id)
    const outcomes = await Promise.all(first.map(restoreByLink))
    expect(outcomes.filter((outcome) => outcome === 'restored')).toHaveLength(2)
    expect(await countOpen()).toBe(5)
  })

  it('refuses to confirm a held booking as the sixth open one', async () => {
    const five = await bookFive(0)
    const sixth = await book(5)
    expect(await click(sixth)).toBe('too_many')
    expect(await countOpen()).toBe(5)
    await cancelByLink(five[0] ?? '')
    expect(await click(sixth)).toBe('confirmed')
    expect(await countOpen()).toBe(5)
  })

  it('refuses to confirm a booking with an expired hold as the sixth open one', async () => {
    const held = await book(0, formBot)
    await setShopClock(shop.owner, '2026-11-20T18:30:00Z')
    await bookFive(1)
    expect(await click(held)).toBe('too_many')
    expect(await countOpen()).toBe(5)
  })

  it('prevents staff from undoing a cancellation when the customer has made five other bookings since', async () => {
    const first = await bookFive(0)
    await cancelByStaff(first)
    await bookFive(5)
    expect(await undoByStaff(first)).toEqual([])
    expect(await countOpen()).toBe(5)
  })

  it('prevents staff from undoing a cancellation when the customer has restored five other bookings since', async () => {
    const first = await bookFive(0)
    for (const id of first) await cancelByLink(id)
    const second = await bookFive(5)
    await cancelByStaff(second)
    for (const id of first) expect(await restoreByLink(id)).toBe('restored')
    expect(await undoByStaff(second)).toEqual([])
    expect(await countOpen()).toBe(5)
  })

  it('refuses to undo a single cancellation with a reason that the dashboard can show', async () => {
    const [first = '', ...others] = await bookFive(0)
    await cancelByStaff([first])
    await book(5)
    const change = (state: string) =>
      `select public.change_booking_state($1, '${state}', (select version from public.bookings where id = $1))`
    expect(
      await refusalTo(shop.database, admin, (query) =>
        query.unchecked(change('confirmed'), [first]),
      ),
    ).toMatchObject({ code: 'TT042', hint: 'too_many_open' })
    const [done = ''] = others
    await runQuery(admin, change('completed'), [done])
    await book(6)
    const undo = `update public.bookings set completed_at = null, completed_by = null where id = $1`
    expect(
      await refusalTo(shop.database, admin, (query) => query.unchecked(undo, [done])),
    ).toMatchObject({ code: 'TT042' })
    expect(await countOpen()).toBe(5)
  })
})

describe('staff who exceed the limit of five open bookings', () => {
  it('can undo the cancellation of all bookings that staff entered', async () => {
    const seven = [...(await bookFive(0, admin)), await book(5, admin), await book(6, admin)]
    await cancelByStaff(seven)
    expect(await undoByStaff(seven)).toHaveLength(7)
    expect(await countOpen()).toBe(7)
  })

  it('can confirm a held sixth booking, even after its hold has expired', async () => {
    await bookFive(0)
    const sixth = await book(5)
    expect(await undoByStaff([sixth])).toEqual([sixth])
    const seventh = await book(6, formBot)
    await setShopClock(shop.owner, '2026-11-20T18:30:00Z')
    await runQuery(asServer, 'select internal.end_expired_holds()', [])
    expect(await undoByStaff([seventh])).toEqual([seventh])
    expect(await countOpen()).toBe(7)
  })
})
