import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Identity, openDatabase, type Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addService,
  admin,
  bookingRow,
  type BookingRow,
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
  serviceId = await addService(shop, 'Story, 90 minutes', 90)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings'))
  await setShopClock(shop.owner, fixtureClock)
})

const halfAnHourLater = '2026-11-20T18:30:00Z'
const later = (instant = halfAnHourLater) => setShopClock(shop.owner, instant)

let customerCount = 0
/** Returns a new booking of a customer who has no other booking. */
const someone = (change: BookingRow = {}) => {
  customerCount += 1
  return bookingRow(serviceId, {
    customer_email: `somebody${customerCount}@example.com`,
    customer_phone: `(650) 555-${String(customerCount).padStart(4, '0')}`,
    ...change,
  })
}
const book = (identity: Identity, change: BookingRow = {}) =>
  shop.database.transaction(identity, (query) => insertRow(query, 'bookings', someone(change)))
const refusalOf = (identity: Identity, change: BookingRow = {}) =>
  refusalTo(shop.database, identity, (query) => insertRow(query, 'bookings', someone(change)))

/** 40 free slots from Saturday, November 21, on, each with a date and a time 'HH:mm'. */
const slots = Array.from({ length: 40 }, (_, nth) => ({
  appointment_date: `2026-11-${['21', '22', '26', '27', '28', '29'][Math.floor(nth / 8)] ?? '30'}`,
  appointment_time: ['08:30', '10:00', '11:30', '13:00', '14:30', '16:00', '17:30', '19:00'][
    nth % 8
  ] as string,
}))

type Stored = { id: string; status: string; held: string | null; reasons: string[] }
async function stored(): Promise<Stored[]> {
  const { rows } = await shop.owner.query<Stored>(
    `select id, status, to_char(held_until at time zone 'UTC', 'HH24:MI') as held,
       flagged_reasons as reasons from public.bookings order by created_at`,
  )
  return rows
}
const only = async () => {
  const [row, ...others] = await stored()
  if (!row || others.length > 0) throw new Error('There is not exactly one booking.')
  return row
}
const isAvailable = async (time = '13:30') => {
  const [row] = await shop.database.transaction(visitor, (query) =>
    query.unchecked<{ free: boolean }>(
      `select public.is_time_slot_available(90, '2026-11-28', $1) as free`,
      [time],
    ),
  )
  return row?.free
}
const click = async (id: string) => {
  const [row] = await shop.database.transaction(asServer, (query) =>
    query.unchecked<{ outcome: string }>('select internal.confirm_held_booking($1) as outcome', [
      id,
    ]),
  )
  return row?.outcome
}
const sweep = () =>
  shop.database.transaction(asServer, (query) =>
    query.unchecked('select internal.end_expired_holds()'),
  )

describe('an ordinary booking', () => {
  it('is not held and does not expire', async () => {
    await book(visitor)
    expect(await only()).toMatchObject({ status: 'confirmed', held: null, reasons: [] })
    await later()
    await sweep()
    expect((await only()).status).toBe('confirmed')
    expect(await isAvailable()).toBe(false)
  })
})

describe('a booking that looks automated', () => {
  it('is stored as confirmed, with a hold that occupies its time for half an hour', async () => {
    await book(formBot)
    expect(await only()).toMatchObject({
      status: 'confirmed',
      held: '18:30',
      reasons: ['form_token_missing'],
    })
    await later('2026-11-20T18:29:59Z')
    expect(await isAvailable()).toBe(false)
    expect((await refusalOf(visitor)).code).toBe('23P01')
  })

  it('loses its time to the next visitor after half an hour, and remains visible to staff', async () => {
    await book(formBot)
    await later()
    expect(await isAvailable()).toBe(true)
    await book(visitor)
    expect((await stored()).map(({ status, held }) => [status, held])).toEqual([
      ['not_confirmed', null],
      ['confirmed', null],
    ])
  })

  it('loses its time to a booking by staff after half an hour', async () => {
    await book(formBot)
    await later()
    await book(admin)
    expect((await stored()).map(({ status }) => status)).toEqual(['not_confirmed', 'confirmed'])
  })

  it('no longer expires after the admin removes its flags', async () => {
    await book(formBot)
    await shop.database.transaction(admin, (query) =>
      query.unchecked(`update public.bookings set flagged_reasons = '{}'`),
    )
    await later()
    await sweep()
    expect(await only()).toMatchObject({ status: 'confirmed', held: null, reasons: [] })
  })

  it("gets the state 'not confirmed' from the scheduled job after half an hour", async () => {
    await book(formBot)
    await sweep()
    expect((await only()).status).toBe('confirmed')
    await later()
    await sweep()
    expect(await only()).toMatchObject({ status: 'not_confirmed', held: null })
  })

  it('no longer expires after the link in its email was used, and a second click shows it as confirmed', async () => {
    await book(formBot)
    const { id } = await only()
    expect(await click(id)).toBe('confirmed')
    expect(await click(id)).toBe('already_confirmed')
    await later()
    await sweep()
    expect(await only()).toMatchObject({ status: 'confirmed', held: null })
    expect(await isAvailable()).toBe(false)
  })

  it('becomes active again when it is confirmed after the hold expired and its time is still free', async () => {
    await book(formBot)
    await later()
    expect(await click((await only()).id)).toBe('confirmed')
    expect(await isAvailable()).toBe(false)
  })

  it('remains expired when it is confirmed after another customer booked its time', async () => {
    await book(formBot)
    const { id } = await only()
    await later()
    await book(visitor)
    expect(await click(id)).toBe('slot_taken')
    expect((await stored()).map(({ status }) => status)).toEqual(['not_confirmed', 'confirmed'])
  })

  it('cannot be confirmed if its hold has expired and it starts within the minimum notice, nor after a cancellation', async () => {
    await book(formBot)
    const { id } = await only()
    await later('2026-11-28T20:30:00Z')
    expect(await click(id)).toBe('too_late')
    await later(fixtureClock)
    await shop.database.transaction(admin, (query) =>
      query.unchecked('select public.cancel_bookings($1)', [[id]]),
    )
    expect(await click(id)).toBe('cancelled')
    expect(await click('00000000-0000-4000-8000-000000000000')).toBe('cancelled')
  })

  it('has no hold after staff complete it', async () => {
    await book(formBot)
    await shop.database.transaction(admin, (query) =>
      query.unchecked(`update public.bookings set completed_at = now(), completed_by = 'admin'`),
    )
    await later()
    await sweep()
    expect(await only()).toMatchObject({ status: 'confirmed', held: null })
  })

  it('no longer expires after staff create a task for it', async () => {
    await book(formBot)
    const { id } = await only()
    await shop.database.transaction(admin, (query) =>
      insertRow(query, 'tasks', { title: 'Brakes', booking_id: id }),
    )
    await later()
    await sweep()
    expect(await only()).toMatchObject({ status: 'confirmed', held: null })
    const { rows } = await shop.owner.query<{ isConfirmed: boolean }>(
      'select hold_confirmed_at is not null as "isConfirmed" from public.bookings',
    )
    expect(rows).toEqual([{ isConfirmed: true }])
  })

  it('has a hold that no role can extend', async () => {
    for (const identity of [visitor, signedInStranger, admin]) {
      const { code } = await refusalTo(shop.database, identity, (query) =>
        insertRow(query, 'bookings', someone({ held_until: '2030-01-01' })),
      )
      expect(code).toBe('42501')
    }
    await book(formBot)
    const change = (query: Query) =>
      query.unchecked(`update public.bookings set held_until = '2030-01-01'`)
    expect((await refusalTo(shop.database, admin, change)).code).toBe('42501')
  })
})

describe('the number of bookings that are held for confirmation', () => {
  it('has no limit per day, so that a visitor whose browser runs no scripts can book on any free day', async () => {
    for (const slot of slots.slice(0, 8)) await book(formBot, slot)
    expect((await stored()).filter(({ held }) => held)).toHaveLength(8)
  })

  it('is limited to ten, and ordinary bookings of other visitors are still accepted', async () => {
    for (const slot of slots.slice(0, 10)) await book(formBot, slot)
    expect(await refusalOf(formBot, slots[10])).toMatchObject({
      code: 'TT041',
      hint: 'too_many_held',
    })
    await book(visitor, slots[10])
    expect((await stored()).filter(({ held }) => held)).toHaveLength(10)
  })

  it('allows a further held booking after the hold of an earlier booking expires', async () => {
    for (const slot of slots.slice(0, 10)) await book(formBot, slot)
    await later()
    await book(formBot, slots[10])
    expect((await stored()).at(-1)).toMatchObject({ held: '19:00' })
  })

  it('is limited to ten, even after forty concurrent requests', async () => {
    const pool = openDatabase(shop.url, { maxConnections: 50 })
    const requests = slots.map((slot) => someone(slot))
    const outcomes = await Promise.all(
      requests.map((row) =>
        pool
          .transaction(formBot, (query) => insertRow(query, 'bookings', row))
          .then(
            () => 'held',
            (error: { code?: string }) => error.code ?? 'no code',
          ),
      ),
    )
    await pool.close()
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(10)
    expect(new Set(outcomes)).toEqual(new Set(['held', 'TT041']))
  })
})

describe('one customer', () => {
  const dana = (nth: number, change: BookingRow = {}) =>
    book(visitor, { ...slots[nth], customer_email: 'dana@example.com', ...change })

  it('can have five open appointments, and the sixth is held for confirmation instead of refused', async () => {
    for (let nth = 0; nth < 5; nth += 1) await dana(nth)
    expect((await stored()).filter(({ held }) => held)).toEqual([])
    await dana(5)
    expect((await stored()).at(-1)).toMatchObject({
      held: '18:30',
      reasons: ['many_open_bookings'],
    })
  })

  it.each([
    ['Dana@Example.com', 'dana@example.com'],
    ['dana+shop@example.com', 'dana+car@example.com'],
    ['d.a.n.a@gmail.com', 'dana+x@googlemail.com'],
  ])(
    'is recognized by the mailbox: %s counts as the same customer as %s',
    async (first, second) => {
      for (let nth = 0; nth < 5; nth += 1) await dana(nth, { customer_email: first })
      await dana(5, { customer_email: second })
      expect((await stored()).at(-1)?.reasons).toEqual(['many_open_bookings'])
    },
  )

  it('is recognized by the phone number, in any format', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      await book(visitor, { ...slots[nth], customer_phone: '+1 (650) 555-0198' })
    }
    await book(visitor, { ...slots[5], customer_phone: '650.555.0198' })
    expect((await stored()).at(-1)?.reasons).toEqual(['many_open_bookings'])
  })

  it('is not recognized by an invalid phone number', async () => {
    for (let nth = 0; nth < 6; nth += 1) await book(visitor, { ...slots[nth], customer_phone: '-' })
    expect((await stored()).at(-1)?.reasons).toEqual([])
  })

  it('is limited by future appointments only, not by past ones', async () => {
    for (let nth = 0; nth < 5; nth += 1) await dana(nth)
    await shop.owner.query(`update public.bookings set status = 'cancelled' where id in
      (select id from public.bookings limit 1)`)
    await dana(5)
    expect((await stored()).at(-1)?.reasons).toEqual([])
    await later('2026-11-22T18:00:00Z')
    await dana(24)
    expect((await stored()).at(-1)?.reasons).toEqual([])
  })

  it('cannot get a sixth appointment without a hold by twenty concurrent requests', async () => {
    const pool = openDatabase(shop.url, { maxConnections: 20 })
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, nth) =>
        pool.transaction(visitor, (query) =>
          insertRow(
            query,
            'bookings',
            someone({ ...slots[nth], customer_email: 'dana@example.com' }),
          ),
        ),
      ),
    )
    await pool.close()
    expect((await stored()).filter(({ held }) => held === null)).toHaveLength(5)
  })

  it('has no limit on appointments that staff enter', async () => {
    for (let nth = 0; nth < 7; nth += 1) {
      await book(admin, { ...slots[nth], customer_email: 'dana@example.com' })
    }
    expect((await stored()).filter(({ reasons }) => reasons.length > 0)).toEqual([])
  })
})

describe('one request', () => {
  const twoRows = `insert into public.bookings (service_id, appointment_date, appointment_time,
      customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, status)
    select $1, day::date, '13:30', 'Dana', 'dana@example.com', '(650) 555-0167', '2019', 'Subaru', 'Outback',
      'confirmed' from unnest(array['2026-11-28', '2026-11-27']) day`

  it.each([
    ['a visitor', visitor],
    ['a signed-in user', signedInStranger],
  ])('sent by %s can create only one booking', async (_name, identity) => {
    const refusal = await refusalTo(shop.database, identity, (query) =>
      query.unchecked(twoRows, [serviceId]),
    )
    expect(refusal).toMatchObject({ code: 'TT004', hint: 'one_booking_per_request' })
    const inTurn = await refusalTo(shop.database, identity, async (query) => {
      await insertRow(query, 'bookings', someone(slots[0]))
      await insertRow(query, 'bookings', someone(slots[1]))
    })
    expect(inTurn.code).toBe('TT004')
    expect(await stored()).toEqual([])
  })

  it('can create a booking on a database connection on which an earlier request created one', async () => {
    const one = openDatabase(shop.url, { maxConnections: 1 })
    for (const slot of slots.slice(0, 2)) {
      await one.transaction(visitor, (query) => insertRow(query, 'bookings', someone(slot)))
    }
    await one.close()
    expect(await stored()).toHaveLength(2)
  })

  it('sent by the admin can create several bookings', async () => {
    await shop.database.transaction(admin, (query) => query.unchecked(twoRows, [serviceId]))
    expect(await stored()).toHaveLength(2)
  })
})

describe('the admin', () => {
  const runQuery = <Row extends object>(sql: string, values: unknown[]) =>
    shop.database.transaction(admin, (query) =>
      query.unchecked<Row & Record<string, unknown>>(sql, values),
    )
  const cancel = (ids: string[]) =>
    runQuery<{ id: string; previous_status: string }>('select * from public.cancel_bookings($1)', [
      ids,
    ])
  const reopen = async (ids: string[], status = 'confirmed') =>
    (
      await runQuery<{ id: string }>(
        'select reopen_bookings as id from public.reopen_bookings($1, $2)',
        [ids, status],
      )
    ).map(({ id }) => id)

  it('can cancel many bookings in one call, which returns the earlier state of each', async () => {
    await book(visitor, slots[0])
    await book(formBot, slots[1])
    await book(formBot, slots[2])
    const [plain, held, done] = (await stored()).map(({ id }) => id) as [string, string, string]
    await shop.owner.query(
      `update public.bookings set completed_at = now(), completed_by = 'admin' where id = $1`,
      [done],
    )
    const cancelled = await cancel([plain, held, done])
    expect(
      Object.fromEntries(cancelled.map(({ id, previous_status }) => [id, previous_status])),
    ).toEqual({
      [plain]: 'confirmed',
      [held]: 'not_confirmed',
    })
    expect((await stored()).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'confirmed',
    ])
    expect(await cancel([plain, held])).toEqual([])
  })

  it('can undo a bulk cancellation for each booking whose time is still free, and the others remain cancelled', async () => {
    await book(visitor, slots[0])
    await book(visitor, slots[1])
    const [first, second] = (await stored()).map(({ id }) => id) as [string, string]
    await cancel([first, second])
    await book(visitor, slots[0])
    expect(await reopen([first, second])).toEqual([second])
    expect((await stored()).map(({ status }) => status)).toEqual([
      'cancelled',
      'confirmed',
      'confirmed',
    ])
  })

  it('can confirm a booking while its hold is running, or after the hold expired if its time is still free', async () => {
    await book(formBot, slots[0])
    await book(formBot, slots[1])
    const [first, second] = (await stored()).map(({ id }) => id) as [string, string]
    expect(await reopen([first])).toEqual([first])
    await later()
    await sweep()
    expect((await stored()).map(({ status }) => status)).toEqual(['confirmed', 'not_confirmed'])
    expect(await reopen([second])).toEqual([second])
    expect((await stored()).map(({ status, held }) => [status, held])).toEqual([
      ['confirmed', null],
      ['confirmed', null],
    ])
  })

  it('can book a time that an expired hold occupied', async () => {
    await book(visitor)
    const { id } = await only()
    await cancel([id])
    await book(formBot)
    expect(await reopen([id])).toEqual([])
    await later()
    expect(await reopen([id])).toEqual([id])
  })

  it('is the only role that may cancel and confirm bookings of visitors', async () => {
    await book(visitor)
    const { id } = await only()
    for (const identity of [visitor, formBot, signedInStranger]) {
      for (const sql of ['cancel_bookings', 'reopen_bookings']) {
        const { code } = await refusalTo(shop.database, identity, (query) =>
          query.unchecked(`select public.${sql}($1)`, [[id]]),
        )
        expect(code).toBe('42501')
      }
    }
  })
})

describe('concurrent bookings of a slot whose hold expires', () => {
  it('result in one booking without a deadlock, with fifty visitors, a late click on the confirmation link and the job that ends holds', async () => {
    const pool = openDatabase(shop.url, { maxConnections: 50 })
    await book(formBot)
    const { id } = await only()
    await later()
    await Promise.all(Array.from({ length: 50 }, () => pool.pool.query('select pg_sleep(0.05)')))
    const codeOf = (error: { code?: string }) => error.code ?? 'no code'
    const [outcome, ...outcomes] = await Promise.all([
      click(id),
      ...Array.from({ length: 45 }, () =>
        pool
          .transaction(visitor, (query) => insertRow(query, 'bookings', someone()))
          .then(() => 'booked', codeOf),
      ),
      ...Array.from({ length: 5 }, () =>
        pool
          .transaction(asServer, (query) => query.unchecked('select internal.end_expired_holds()'))
          .then(() => 'swept', codeOf),
      ),
    ])
    await pool.close()
    const booked = outcomes.filter((one) => one === 'booked').length
    expect([outcome, booked]).toEqual(
      outcome === 'confirmed' ? ['confirmed', 0] : ['slot_taken', 1],
    )
    expect(new Set([...outcomes, 'booked', '23P01', 'swept']).size).toBe(3)
    const active = (await stored()).filter(({ status }) => status === 'confirmed')
    expect(active).toHaveLength(1)
  })
})

describe('the visit page token', () => {
  it('cannot be read by a visitor or through the dashboard', async () => {
    for (const identity of [visitor, admin, signedInStranger]) {
      const { code } = await refusalTo(shop.database, identity, (query) =>
        query.unchecked('select public.visit_page_token($1)', [
          '00000000-0000-4000-8000-000000000000',
        ]),
      )
      expect(code).toBe('42501')
    }
  })
})
