import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
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
beforeEach(async () => {
  await shop.owner.query(`${truncateTables('public.bookings')}; delete from internal.form_origins`)
  await setShopClock(shop.owner, fixtureClock)
})

/** 15 minutes after the start of the appointment in `bookingRow` (November 28, 2026, 1:30 PM, shop time). */
const quarterPast = '2026-11-28T21:45:00Z'

type Booking = { id: string; status: string; version: number; completed_by: string | null }
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const book = async (change = {}) => {
  await shop.database.transaction(visitor, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId, change)),
  )
  const [row] = await asAdmin<Booking>(
    'select * from public.bookings order by created_at desc, id limit 1',
  )
  return row?.id ?? ''
}
const read = async (id: string) => {
  const [row] = await asAdmin<Booking>('select * from public.bookings where id = $1', [id])
  if (!row) throw new Error('There is no such appointment.')
  return row
}
const sql = 'select * from public.change_booking_state($1, $2, $3, $4, $5)'
const change = async (id: string, state: string, allowWithoutBay = false) => {
  const { version } = await read(id)
  await asAdmin(sql, [id, state, version, null, allowWithoutBay])
}
const refusalOf = async (id: string, state: string, version?: number) =>
  refusalTo(shop.database, admin, async (query) =>
    query.unchecked(sql, [id, state, version ?? (await read(id)).version, null, false]),
  )
const kinds = async (id: string) => {
  const rows = await asAdmin<{ kind: string }>(
    'select kind from public.booking_events where booking_id = $1 order by id',
    [id],
  )
  return rows.map(({ kind }) => kind).join(' ')
}

describe('the states of a booking during the day', () => {
  it('change to arrived, in work and completed, and can be undone one by one', async () => {
    const id = await book()
    for (const state of ['arrived', 'in_work', 'completed', 'in_work', 'arrived', 'confirmed']) {
      await change(id, state)
    }
    expect(await kinds(id)).toBe('booked arrived started completed reopened undone undone')
  })

  it('record the completion time and the employee at the completion', async () => {
    const id = await book()
    await change(id, 'completed')
    expect(await read(id)).toMatchObject({ status: 'confirmed', completed_by: 'admin' })
  })

  it.each(['arrived', 'in_work', 'completed'])(
    'keep the booked time occupied: %s',
    async (state) => {
      const id = await book()
      await change(id, state)
      await expect(book({ customer_name: 'Robin' })).rejects.toMatchObject({ code: '23P01' })
    },
  )

  it('refuse a change to a state that is not allowed', async () => {
    const id = await book()
    await change(id, 'arrived')
    expect(await refusalOf(id, 'no_show')).toEqual({
      code: 'TT062',
      hint: 'state_not_allowed',
      message: 'An appointment cannot change from arrived to no show.',
    })
    expect((await refusalOf(id, 'not_confirmed')).code).toBe('TT062')
    expect((await refusalOf(id, 'washed')).code).toBe('TT062')
    await change(id, 'cancelled')
    expect((await refusalOf(id, 'no_show')).code).toBe('TT062')
    expect((await refusalOf(id, 'completed')).code).toBe('TT062')
  })

  it('treat a repeated click like a single click', async () => {
    const id = await book()
    await change(id, 'arrived')
    await asAdmin(sql, [id, 'arrived', 1, null, false])
    expect(await kinds(id)).toBe('booked arrived')
  })

  it('refuse a change that was based on an outdated version, and return the current state', async () => {
    const id = await book()
    await change(id, 'arrived')
    expect(await refusalOf(id, 'cancelled', 1)).toEqual({
      code: 'TT051',
      hint: 'version_conflict',
      message: 'This appointment was changed meanwhile.',
    })
    const error: unknown = await asAdmin(sql, [id, 'cancelled', 1, null, false]).catch((e) => e)
    expect(JSON.parse((error as { detail: string }).detail)).toMatchObject({
      version: 2,
      kind: 'arrived',
      source: 'counter',
      changed_by_name: 'ana',
    })
  })

  it('refuse a change of a deleted appointment because the appointment no longer exists', async () => {
    const id = await book()
    await shop.owner.query(truncateTables('public.bookings'))
    expect((await refusalOf(id, 'arrived', 1)).code).toBe('TT060')
  })

  it('can be changed by the admin only', async () => {
    const id = await book()
    for (const identity of [visitor, signedInStranger]) {
      const refusal = await refusalTo(shop.database, identity, (query) =>
        query.unchecked(sql, [id, 'cancelled', 1, null, false]),
      )
      expect(refusal.code).toBe('42501')
    }
  })
})

describe('a no-show', () => {
  it('can be recorded from 15 minutes after the start, by procedure and by direct UPDATE', async () => {
    const id = await book()
    await setShopClock(shop.owner, '2026-11-28T21:44:59Z')
    expect(await refusalOf(id, 'no_show')).toMatchObject({ code: 'TT063', hint: 'too_early' })
    await expect(asAdmin(`update public.bookings set status = 'no_show'`)).rejects.toMatchObject({
      code: 'TT063',
    })
    await setShopClock(shop.owner, quarterPast)
    await change(id, 'no_show')
    expect(await kinds(id)).toBe('booked no_show')
  })

  it('frees its time, and undoing the no-show occupies the time again', async () => {
    const id = await book()
    await setShopClock(shop.owner, quarterPast)
    await change(id, 'no_show')
    const { rows } = await shop.owner.query(
      'select internal.is_bay_taken(bay_id, occupied) as taken from public.bookings',
    )
    expect(rows).toEqual([{ taken: false }])
    await change(id, 'confirmed')
    expect(await kinds(id)).toBe('booked no_show undone')
    await change(id, 'no_show')
    await change(id, 'arrived')
    expect(await kinds(id)).toBe('booked no_show undone no_show arrived')
  })

  it('cannot be undone when its time was booked by another customer, unless staff accept a booking without a bay', async () => {
    const id = await book()
    await change(id, 'cancelled')
    await book({ customer_name: 'Robin' })
    expect(await refusalOf(id, 'confirmed')).toEqual({
      code: '23P01',
      hint: 'slot_taken',
      message: 'This time is taken.',
    })
    expect(await kinds(id)).toBe('booked cancelled')
    await change(id, 'confirmed', true)
    expect(await read(id)).toMatchObject({ status: 'confirmed', bay_id: null })
    expect(await kinds(id)).toBe('booked cancelled reopened')
  })
})

describe('a bulk cancellation', () => {
  it('records one reason for all bookings, and undoing it restores the earlier state of each booking', async () => {
    const first = await book()
    const second = await book({ appointment_time: '16:00' })
    await change(second, 'arrived')
    const cancelled = await asAdmin(
      `select * from public.cancel_bookings($1, 'The owner is ill')`,
      [[first, second]],
    )
    expect(cancelled).toEqual(
      expect.arrayContaining([
        { id: first, previous_status: 'confirmed' },
        { id: second, previous_status: 'arrived' },
      ]),
    )
    expect(
      await asAdmin(
        `select distinct reason from public.booking_events
         where kind = 'cancelled' and booking_id = any ($1)`,
        [[first, second]],
      ),
    ).toEqual([{ reason: 'The owner is ill' }])
    await asAdmin(`select public.reopen_bookings($1, 'arrived')`, [[second]])
    expect((await read(second)).status).toBe('arrived')
  })

  it('omits a booking whose vehicle has arrived, even if an outdated tab lists that booking', async () => {
    const id = await book()
    await change(id, 'arrived')
    expect(await asAdmin(`select * from public.reopen_bookings($1)`, [[id]])).toEqual([])
    expect((await read(id)).status).toBe('arrived')
  })
})
