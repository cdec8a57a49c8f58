import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  formBot,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
})
afterAll(() => shop.drop())
beforeEach(() => shop.owner.query(truncateTables('public.bookings')))

type Line = { kind: string; source: string; changed_by_name: string; before: object; after: object }
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const book = async (identity = visitor) => {
  await shop.database.transaction(identity, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId)),
  )
  const [row] = await asAdmin<{ id: string }>('select id from public.bookings')
  return row?.id ?? ''
}
const historyOf = (id: string) =>
  asAdmin<Line>(
    `select kind, source, changed_by_name, before, after from public.booking_events
     where booking_id = $1 order by id`,
    [id],
  )
const kindsOf = async (id: string) =>
  (await historyOf(id)).map(({ kind, source }) => `${kind} by ${source}`)

describe('the history of an appointment', () => {
  it('begins with an entry that names the author of the booking and contains no customer data', async () => {
    const id = await book()
    const [line] = await historyOf(id)
    expect(line).toEqual({
      kind: 'booked',
      source: 'visitor',
      changed_by_name: 'visitor',
      before: null,
      after: {
        date: '2026-11-28',
        time: '13:30',
        minutes: 90,
        service: 'Story, 90 minutes',
        bay: 'Bay 1',
        bay_id: expect.any(String),
        state: 'confirmed',
        held_until: null,
        kept_at: null,
      },
    })
    expect(JSON.stringify(line)).not.toMatch(/Dana|555-01/)
  })

  it('records each change by staff with the employee, the value before and the value after', async () => {
    const id = await book()
    await asAdmin(`update public.bookings set completed_at = now(), completed_by = 'admin'`)
    await asAdmin('update public.bookings set completed_at = null, completed_by = null')
    await asAdmin(`update public.bookings set status = 'cancelled'`)
    await asAdmin(`select public.reopen_bookings(array[$1::uuid])`, [id])
    expect(await kindsOf(id)).toEqual([
      'booked by visitor',
      'completed by counter',
      'reopened by counter',
      'cancelled by counter',
      'reopened by counter',
    ])
    expect((await historyOf(id))[1]).toMatchObject({
      changed_by_name: 'ana',
      before: { state: 'confirmed' },
      after: { state: 'completed' },
    })
  })

  it('records whether a held booking was confirmed by the customer, expired, or was confirmed by staff', async () => {
    const confirmed = await book(formBot)
    await shop.database.transaction({ role: 'shop_server' }, (query) =>
      query.unchecked('select internal.confirm_held_booking($1)', [confirmed]),
    )
    expect(await kindsOf(confirmed)).toEqual(['booked by visitor', 'confirmed by customer'])

    await shop.owner.query(truncateTables('public.bookings'))
    const expired = await book(formBot)
    await setShopClock(shop.owner, '2026-11-20T19:00:00Z')
    await shop.database.transaction({ role: 'shop_server' }, (query) =>
      query.unchecked('select internal.end_expired_holds()'),
    )
    await setShopClock(shop.owner, fixtureClock)
    expect(await kindsOf(expired)).toEqual(['booked by visitor', 'not_confirmed by system'])
    await asAdmin(`select public.reopen_bookings(array[$1::uuid])`, [expired])
    expect((await kindsOf(expired)).at(-1)).toBe('kept by counter')
  })

  it('gets no entry when a request changes nothing', async () => {
    const id = await book()
    await asAdmin(`update public.bookings set status = status`)
    expect(await kindsOf(id)).toEqual(['booked by visitor'])
  })

  it('is kept after the appointment is deleted', async () => {
    const id = await book()
    await asAdmin(`update public.bookings set completed_at = now(), completed_by = 'admin'`)
    await asAdmin('delete from public.bookings')
    expect(await kindsOf(id)).toEqual([
      'booked by visitor',
      'completed by counter',
      'deleted by counter',
    ])
  })

  it('is rolled back together with the change that it records', async () => {
    const id = await book()
    await expect(
      asAdmin(`with gone as (update public.bookings set status = 'cancelled' returning 1)
               select 1 / (count(*) - 1) from gone`),
    ).rejects.toThrow('division by zero')
    expect(await kindsOf(id)).toEqual(['booked by visitor'])
  })

  it('refuses UPDATE and DELETE, even from the owner of the table', async () => {
    await book()
    for (const sql of [
      `update public.booking_events set reason = 'other'`,
      'delete from public.booking_events',
      'truncate public.booking_events',
    ]) {
      await expect(shop.owner.query(sql)).rejects.toMatchObject({ code: 'TT055' })
      expect((await refusalTo(shop.database, admin, (query) => query.unchecked(sql))).code).toBe(
        '42501',
      )
    }
  })

  it('can be read by the admin only', async () => {
    await book()
    const read = 'select * from public.booking_events'
    expect(
      await shop.database.transaction(signedInStranger, (query) => query.unchecked(read)),
    ).toEqual([])
    expect((await refusalTo(shop.database, visitor, (query) => query.unchecked(read))).code).toBe(
      '42501',
    )
  })
})

describe('a change of an appointment', () => {
  it('increments the version and records when the state changed', async () => {
    await book()
    const read = () =>
      asAdmin<{ version: number; since: string }>(
        `select version, to_json(state_changed_at) #>> '{}' as since from public.bookings`,
      )
    expect(await read()).toEqual([{ version: 1, since: expect.any(String) }])
    await setShopClock(shop.owner, '2026-11-20T18:30:00Z')
    await asAdmin(`update public.bookings set status = 'cancelled'`)
    await setShopClock(shop.owner, fixtureClock)
    expect(await read()).toEqual([{ version: 2, since: '2026-11-20T18:30:00+00:00' }])
  })

  it('notifies every process on commit, with ids only', async () => {
    const listener = new Client({ connectionString: shop.url })
    await listener.connect()
    const heard: string[] = []
    const hearing = Promise.withResolvers<void>()
    listener.on('notification', ({ payload }) => {
      heard.push(payload ?? '')
      hearing.resolve()
    })
    await listener.query('listen bookings_changed')
    const id = await book()
    await hearing.promise
    await listener.end()
    const [line] = await asAdmin<{ id: string }>(
      'select id::text from public.booking_events where booking_id = $1',
      [id],
    )
    expect(heard).toEqual([`${id} ${line?.id}`])
  })
})
