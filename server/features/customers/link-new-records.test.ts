import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  type BookingRow,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { createNewRecordLinker } from './link-new-records.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 30 minutes', 30)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner
    .query(`${truncateTables('public.bookings', 'public.customers', 'public.estimates')};
    delete from internal.form_origins`)
  slot = 0
})

/**
 * The database identity of a visitor in a process that links bookings to customers with a job instead of an insert
 * trigger.
 */
const visitorOfTheSite: Identity = {
  role: 'anon',
  get headers() {
    return { ...visitor.headers, 'x-links-later': 'yes' }
  },
}

let slot = 0
function book(change: BookingRow = {}, as = visitorOfTheSite): Promise<void> {
  const time = `${12 + Math.floor(slot / 2)}:${slot % 2 ? '30' : '00'}`
  slot += 1
  const row = bookingRow(serviceId, { appointment_time: time, ...change })
  return shop.database.transaction(as, (query) => insertRow(query, 'bookings', row))
}
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const linkNewRecords = () => createNewRecordLinker(shop.database)()
const count = () =>
  runQuery(`select (select count(*)::int from public.customers) as customers, (select count(*)::int from public.vehicles) as vehicles,
              (select count(*)::int from public.bookings where customer_id is null) as waiting`)

describe('a booking that a visitor makes on the site', () => {
  it('is linked to a customer by the background job, with the same result as an immediate link', async () => {
    await book()
    expect(await count()).toEqual([{ customers: 0, vehicles: 0, waiting: 1 }])
    await linkNewRecords()
    const read = () =>
      runQuery(`select person.name, person.email, person.phone, car.make, booking.version,
                  array(select kind || ' ' || (confirmed_at is not null) from public.customer_contact_methods
                        where customer_id = person.id order by kind) as contacts
           from public.bookings booking join public.customers person on person.id = booking.customer_id
           join public.vehicles car on car.id = booking.vehicle_id`)
    const linkedLater = await read()
    await shop.owner.query(truncateTables('public.bookings', 'public.customers'))
    await book({}, visitor)
    expect(linkedLater).toEqual(await read())
    expect(linkedLater).toMatchObject([{ name: 'Dana Whitfield', make: 'Subaru', version: 1 }])
  })

  it('is announced to open dashboards as one live event when the background job links the booking', async () => {
    const client = await shop.owner.connect()
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    try {
      await client.query('listen bookings_changed')
      await book()
      await client.query('select 1')
      expect(heard).toEqual([])
      await linkNewRecords()
      await linkNewRecords()
      await client.query('select 1')
      expect(heard).toEqual(
        (
          await runQuery<{ notice: string }>(
            `select booking_id || ' ' || id as notice from public.booking_events
             where booking_id in (select id from public.bookings)`,
          )
        ).map(({ notice }) => notice),
      )
      expect(heard).toHaveLength(1)
    } finally {
      await client.query('unlisten *')
      client.release()
    }
  })

  it('is linked to the same customer as a simultaneous second booking of that new customer', async () => {
    await Promise.all([book(), book({ appointment_date: '2026-11-27' })])
    await Promise.all([linkNewRecords(), linkNewRecords()])
    await linkNewRecords()
    expect(await count()).toEqual([{ customers: 1, vehicles: 1, waiting: 0 }])
  })

  it('is linked once by two processes with the background job, after another transaction released its lock on the booking', async () => {
    for (let n = 0; n < 6; n += 1) {
      await book({ customer_email: `c${n}@example.com`, customer_phone: `(650) 555-010${n}` })
    }
    const held = await shop.owner.connect()
    try {
      await held.query('begin')
      await held.query('select from public.bookings order by created_at limit 1 for update')
      await Promise.all([linkNewRecords(), linkNewRecords()])
      expect(await count()).toEqual([{ customers: 5, vehicles: 5, waiting: 1 }])
    } finally {
      // Simulates a crash of the process: PostgreSQL rolls back its transaction, and the next run of `linkNewRecords`
      // finds the booking.
      await held.query('rollback')
      held.release()
    }
    await linkNewRecords()
    expect(await count()).toEqual([{ customers: 6, vehicles: 6, waiting: 0 }])
  })

  it('is linked even if an earlier booking cannot be linked; the failure of the earlier booking is reported once', async () => {
    const link = createNewRecordLinker(shop.database)
    await shop.owner.query(
      `alter table public.customers add constraint nobody check (name <> 'Nobody') not valid`,
    )
    try {
      await book({ customer_name: 'Nobody', customer_email: 'no@example.com' })
      const [unlinked] = await runQuery<{ id: string }>('select id from public.bookings')
      await book({ customer_phone: '(650) 555-0133' })
      await expect(link()).rejects.toThrow(
        `${unlinked?.id}: new row for relation "customers" violates`,
      )
      expect(await count()).toEqual([{ customers: 1, vehicles: 1, waiting: 1 }])
      await expect(link()).resolves.toBeUndefined()
    } finally {
      await shop.owner.query('alter table public.customers drop constraint nobody')
    }
    await linkNewRecords()
    expect(await count()).toEqual([{ customers: 2, vehicles: 2, waiting: 0 }])
  })

  it('counts toward the limit of five open bookings per customer even before the background job links it', async () => {
    for (let n = 0; n < 6; n += 1) await book()
    expect(
      await runQuery(
        'select flagged_reasons from public.bookings order by created_at desc limit 1',
      ),
    ).toEqual([{ flagged_reasons: ['many_open_bookings'] }])
    // One run of the job links four of the six bookings.
    await linkNewRecords()
    expect(await count()).toMatchObject([{ waiting: 2 }])
    await linkNewRecords()
    expect(await count()).toEqual([{ customers: 1, vehicles: 1, waiting: 0 }])
  })

  it('is linked by the creation of an estimate if the background job has not linked it yet', async () => {
    await book()
    const [booking] = await runQuery<{ id: string }>('select id from public.bookings')
    await asAdmin(`select public.create_estimate(jsonb_build_object('bookingId', $1::text))`, [
      booking?.id,
    ])
    expect(
      await runQuery(`select estimate.customer_id = booking.customer_id as is_theirs
                 from public.estimates estimate join public.bookings booking on booking.id = estimate.booking_id`),
    ).toEqual([{ is_theirs: true }])
  })

  it('is linked when staff accept its unconfirmed email address before the background job links the booking', async () => {
    await book({}, visitor)
    await book({ customer_email: 'typed@example.com' })
    const [booking] = await runQuery<{ id: string }>(
      `select id from public.bookings where customer_email = 'typed@example.com'`,
    )
    expect(
      await asAdmin('select public.accept_unconfirmed_email($1) as email', [booking?.id]),
    ).toEqual([{ email: 'typed@example.com' }])
  })

  it('is announced as a live event when staff assign it to a new customer before the background job links it', async () => {
    await book({}, visitor)
    await book()
    const [waiting] = await runQuery<{ id: string }>(
      'select id from public.bookings where customer_id is null',
    )
    const client = await shop.owner.connect()
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    try {
      await client.query('listen bookings_changed')
      await asAdmin('select public.split_booking($1)', [waiting?.id])
      await client.query('select 1')
      expect(heard).toEqual([expect.stringContaining(`${waiting?.id} `)])
    } finally {
      await client.query('unlisten *')
      client.release()
    }
    expect(await count()).toEqual([{ customers: 2, vehicles: 2, waiting: 0 }])
  })

  it('is found by the dashboard search after the background job linked it', async () => {
    await book()
    const find = () =>
      asAdmin<{ id: string }>(`select id from public.find_bookings(search => 'whitfield')`)
    expect(await find()).toHaveLength(0)
    await linkNewRecords()
    expect(await find()).toHaveLength(1)
  })

  it('blocks the erasure of its customer even before the background job links it', async () => {
    await book({}, visitor)
    await shop.owner.query(
      `update public.bookings set completed_at = now(), completed_by = 'admin'`,
    )
    await book()
    const [customer] = await runQuery<{ id: string; version: number }>(
      'select id, version from public.customers',
    )
    const refusal = await refusalTo(shop.database, { role: 'shop_server' }, (query) =>
      query.unchecked(`select internal.erase_customer($1, $2, 'ana')`, [
        customer?.id,
        customer?.version,
      ]),
    )
    expect(refusal).toMatchObject({ code: 'TT099', hint: 'open_records' })
  })
})

describe('a booking that the background job does not link', () => {
  it('is linked to its customer by a trigger at the insert, if staff enter the booking or if a hosted backend is used', async () => {
    await book({}, visitor)
    await asAdmin(
      `select public.book_by_phone(service_id => $1, appointment_date => '2026-11-28', appointment_time => '15:00',
         customer_name => 'Lee Ito', customer_phone => '(650) 555-0133', customer_email => null)`,
      [serviceId],
    )
    expect(await count()).toEqual([{ customers: 2, vehicles: 1, waiting: 0 }])
  })
})
