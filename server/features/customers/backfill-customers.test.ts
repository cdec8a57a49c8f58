import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { backfillCustomers } from './backfill-customers.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  await shop.owner.query('alter table public.bookings disable trigger t50_link_to_customer')
  await shop.owner.query(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes,
       customer_name, customer_email, customer_phone, vehicle_make, completed_at, completed_by, created_at)
     select (select id from public.services limit 1), date '2024-01-01' + n, '12:00', 30, 'Dana ' || n % 200 || 'th',
       'dana' || n % 200 || '@example.com', '(650) 555-01' || lpad((n % 100)::text, 2, '0'), 'Subaru', now(), 'admin',
       date '2024-01-01' + n
     from generate_series(1, 650) n`,
  )
  await shop.owner.query('alter table public.bookings enable trigger t50_link_to_customer')
})
afterAll(() => shop.drop())

const countUnlinked = async () => {
  const { rows } = await shop.owner.query<{ left: number }>(
    'select count(*)::int as left from public.bookings where customer_id is null',
  )
  return rows[0]?.left
}

it('the backfill of customers continues after an interruption, skips locked bookings, and links no booking twice', async () => {
  const interrupted = new AbortController()
  const first = backfillCustomers(shop.database, interrupted.signal)
  interrupted.abort()
  expect(await first).toBe(100)
  expect(await countUnlinked()).toBe(550)

  const held = await shop.owner.connect()
  try {
    // Another transaction locks one of the bookings, like an edit by staff. The backfill skips that booking.
    await held.query('begin')
    await held.query(
      'select from public.bookings where customer_id is null order by created_at limit 1 for update',
    )
    expect(await backfillCustomers(shop.database, new AbortController().signal)).toBe(549)
  } finally {
    await held.query('commit')
    held.release()
  }
  expect(await backfillCustomers(shop.database, new AbortController().signal)).toBe(1)
  expect(await backfillCustomers(shop.database, new AbortController().signal)).toBe(0)
  const { rows } = await shop.owner.query(
    `select (select count(*)::int from public.customers) as customers, (select count(*)::int from public.vehicles) as vehicles,
            (select count(*)::int from public.bookings where version > 1) as changed`,
  )
  expect(rows).toEqual([{ customers: 200, vehicles: 200, changed: 0 }])
})

it('the backfill creates no duplicate customers when customers book at the same time', async () => {
  await shop.owner.query('update public.bookings set customer_id = null, vehicle_id = null')
  await shop.owner.query('delete from public.vehicles')
  await shop.owner.query('delete from public.customers')
  const [serviceId] = (
    await shop.owner.query<{ id: string }>('select id from public.services limit 1')
  ).rows
  const bookings = Array.from({ length: 60 }, (_, n) =>
    shop.owner.query(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
         customer_email, customer_phone, vehicle_make)
       values ($1, date '2027-01-01' + $2::int, '12:00', 30, $5, $3, $4, 'Subaru')`,
      [
        serviceId?.id,
        n,
        `dana${(n * 7) % 200}@example.com`,
        `(650) 555-01${String((n * 7) % 100).padStart(2, '0')}`,
        `Dana ${(n * 7) % 200}th`,
      ],
    ),
  )
  await Promise.all([backfillCustomers(shop.database, new AbortController().signal), ...bookings])
  await backfillCustomers(shop.database, new AbortController().signal)
  const { rows } = await shop.owner.query(
    `select (select count(*)::int from public.customers) as customers, (select count(*)::int from public.vehicles) as vehicles,
            (select count(*)::int from public.bookings where customer_id is null) as "left"`,
  )
  expect(rows).toEqual([{ customers: 200, vehicles: 200, left: 0 }])
})
