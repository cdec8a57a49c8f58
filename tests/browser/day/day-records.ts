import type { Page } from '@playwright/test'
import type { Shop } from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

/** The time of the tests: 12:40 PM on a Tuesday on which the shop is open from 11:00 AM to 7:00 PM. */
export const fixtureDay = '2026-11-24'
const fixtureNow = '2026-11-24T12:40:00-08:00'

/** Sets the page's clock to the shop's clock. Otherwise the browser would treat `fixtureDay` as past or future. */
export const setPageClock = (page: Page) => page.clock.setFixedTime(new Date(fixtureNow))

type DayBooking = {
  bay: string | null
  time: string
  minutes: number
  name: string
  state?: string
  service?: string
  vehicle?: readonly [year: string, make: string, model: string]
  notes?: string
  internalNote?: string
}

/**
 * The bookings of a day with three bays. The vehicles are finished, in work, arrived, expected or missing (a no-show).
 * One booking has no bay.
 */
const bookings: readonly DayBooking[] = [
  { bay: 'Bay 1', time: '11:00', minutes: 60, name: 'Priya Raman', state: 'completed' },
  { bay: 'Bay 1', time: '12:00', minutes: 45, name: 'Ken Morimoto', state: 'in_work' },
  {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
    notes: 'Grinding from the front left when cold.',
  },
  { bay: 'Bay 2', time: '11:00', minutes: 30, name: 'Luis Ortega', state: 'no_show' },
  { bay: 'Bay 2', time: '11:30', minutes: 120, name: 'Walt Jensen', state: 'in_work' },
  {
    bay: 'Bay 2',
    time: '15:00',
    minutes: 120,
    name: 'June Albright',
    internalNote: 'Waits in the shop',
  },
  { bay: 'Rack', time: '12:30', minutes: 75, name: 'Renee Dupont', state: 'arrived' },
  { bay: 'Rack', time: '16:00', minutes: 75, name: 'Helen Cho' },
  { bay: null, time: '15:30', minutes: 30, name: 'Sam Okafor' },
]

/** Fills `fixtureDay` with `bookings` and a staff meeting from 2 to 3 PM, and sets the clock to 12:40 PM. */
export async function fillDay(shop: Shop): Promise<void> {
  await emptyDay(shop)
  await shop.database.query(
    `insert into special_hours (starts_at, ends_at, reason)
     values ('2026-11-24 14:00', '2026-11-24 15:00', 'staff meeting')`,
  )
  for (const booking of bookings) await addDayBooking(shop, booking)
}

/** Deletes all bookings, sets up three bays, and sets the clock to 12:40 PM of `fixtureDay`. */
export async function emptyDay(shop: Shop): Promise<void> {
  await shop.setClock(fixtureNow)
  await shop.database.query(
    `${truncateTables('public.tasks', 'public.bookings')}; delete from special_hours`,
  )
  await shop.database.query(
    `insert into bays (name, position) select name, position
     from (values ('Bay 2', 2), ('Rack', 3)) as wanted (name, position)
     where not exists (select from bays where bays.name = wanted.name)`,
  )
}

/** Restores the state that other tests expect: one bay, no bookings or closures, and a running clock. */
export async function resetDay(shop: Shop): Promise<void> {
  await shop.database.query(
    `${truncateTables('public.tasks', 'public.bookings')}; delete from special_hours; delete from bays where name <> 'Bay 1';
     update bays set technician = null, position = 1`,
  )
  await shop.setClock(undefined)
}

/** Adds an appointment to a bay of `fixtureDay`; returns its id. */
export async function addDayBooking(shop: Shop, booking: DayBooking): Promise<string> {
  const state = booking.state ?? 'confirmed'
  const isCompleted = state === 'completed'
  const { rows } = await shop.database.query<{ id: string }>(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, bay_id,
       customer_name, customer_phone, customer_email, notes, internal_note, vehicle_year, vehicle_make, vehicle_model,
       status, state_changed_at, completed_at, completed_by)
     select id, $1, $2, $3, (select bays.id from bays where bays.name = $4), $5, '(650) 555-0167',
       lower(split_part($5, ' ', 1)) || '@customer.example', $6, $7, $8, $9, $10, $11,
       timestamptz '2026-11-24T12:22:00-08:00', case when $12 then internal.current_instant() end, case when $12 then 'admin' end
     from services where name = $13 returning id`,
    [
      fixtureDay,
      booking.time,
      booking.minutes,
      booking.bay,
      booking.name,
      booking.notes ?? null,
      booking.internalNote ?? null,
      ...(booking.vehicle ?? ['2019', 'Subaru', 'Outback']),
      isCompleted ? 'confirmed' : state,
      isCompleted,
      booking.service ?? 'Oil Change',
    ],
  )
  return rows[0]?.id ?? ''
}
