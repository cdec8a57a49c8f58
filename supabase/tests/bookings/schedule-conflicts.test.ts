import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, fixtureClock } from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  const serviceId = await addService(shop, 'Story, 60 minutes', 60)
  await shop.owner.query('alter table public.bookings disable trigger user')
  await shop.owner.query(
    `insert into public.bookings (service_id, service_name, appointment_date, appointment_time,
       duration_minutes, customer_name, customer_phone, search_text, bay_id, notified_starts_at)
     select $1, 'Story', date '2026-12-01' + n / 10, time '06:00' + n % 10 * interval '90 minutes', 60,
       'Person ' || n, '(650) 555-0167', '', case when n % 7 > 0 then (select id from public.bays) end,
       date '2026-12-01' + n / 10 + time '06:00' + n % 10 * interval '90 minutes'
     from generate_series(0, 999) n`,
    [serviceId],
  )
  await shop.owner.query('alter table public.bookings enable trigger user')
  await shop.owner.query('vacuum analyze public.bookings')
})
afterAll(() => shop.drop())

type Plan = Record<string, unknown> & { Plans?: Plan[] }
const partsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(partsOf)]

it('schedule_conflicts lists the bookings outside the hours or without a bay among a thousand appointments', async () => {
  const { rows: found } = await shop.owner.query(
    'select booking_id, problem from public.schedule_conflicts order by booking_id',
  )
  const { rows: expected } = await shop.owner.query(
    `select id as booking_id, case when is_inside then 'no_bay' else 'outside_hours' end as problem
     from public.bookings,
       lateral (select occupied <@ internal.open_spans(appointment_date, bay_id) as is_inside) hours
     where bay_id is null or not is_inside order by id`,
  )
  expect(found.length).toBeGreaterThan(300)
  expect(found).toEqual(expected)
})

it('schedule_conflicts computes the opening hours of each date and bay only once', async () => {
  const { rows } = await shop.owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    'explain (analyze, format json) select count(*) from public.schedule_conflicts',
  )
  const remembering = partsOf(rows[0]?.['QUERY PLAN'][0].Plan ?? {}).find(
    (part) => part['Node Type'] === 'Memoize',
  )
  // The query caches the opening hours under 200 keys: each of a hundred dates, once with a bay and once without a bay.
  expect(remembering).toMatchObject({ 'Cache Misses': 200, 'Cache Hits': 800 })
})
