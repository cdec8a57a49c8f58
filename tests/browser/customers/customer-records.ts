import type { Shop } from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

/** The time of the tests: 12:40 PM on a Tuesday on which the shop is open from 11:00 AM to 7:00 PM. */
const fixtureNow = '2026-11-24T12:40:00-08:00'

type TestBooking = {
  date: string
  time?: string
  name: string
  phone?: string
  email?: string
  service?: string
  status?: string
  completed?: boolean
  vehicle?: readonly [year: string, make: string, model: string]
}

/** Deletes all customers and bookings, and sets the clock to 12:40 PM. */
async function forgetEverybody(shop: Shop): Promise<void> {
  await shop.setClock(fixtureNow)
  await shop.database.query(
    truncateTables(
      'public.customers',
      'public.bookings',
      'public.quote_requests',
      'public.estimates',
      'public.invoices',
      'public.tasks',
      'public.emails',
      'public.merges',
    ),
  )
}

/** Restores the customer records that a test changed, so that the next tests find the initial records. */
export async function resetCustomers(shop: Shop): Promise<void> {
  await forgetEverybody(shop)
  await shop.setClock(undefined)
}

/** Adds an appointment, which also creates the customer and the vehicle; returns the appointment's id. */
export async function addBookingOf(shop: Shop, booking: TestBooking): Promise<string> {
  const [year, make, model] = booking.vehicle ?? ['2019', 'Subaru', 'Outback']
  const { rows } = await shop.database.query<{ id: string }>(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes,
       customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
       completed_at, completed_by, status)
     select id, $1, $2, duration_minutes, $3, $4, $5, $6, $7, $8,
       case when $9 then now() end, case when $9 then 'admin' end, $10
     from services where name = $11
     returning id`,
    [
      booking.date,
      booking.time ?? '13:00',
      booking.name,
      booking.email ?? `${booking.name.split(' ')[0]?.toLowerCase()}@customer.example`,
      booking.phone ?? '(650) 555-0167',
      year,
      make,
      model,
      booking.completed ?? false,
      booking.status ?? 'confirmed',
      booking.service ?? 'Oil Change',
    ],
  )
  return rows[0]?.id ?? ''
}

/** Returns the id of the customer with the given name. */
export async function customerIdOf(shop: Shop, name: string): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    'select id from customers where name = $1 and merged_into is null',
    [name],
  )
  return rows[0]?.id ?? ''
}

/**
 * Adds Maria Delgado with one appointment today, two completed appointments and a no-show, and Luis Ortega with a later
 * appointment.
 */
export async function addMaria(shop: Shop): Promise<void> {
  await forgetEverybody(shop)
  const maria = { name: 'Maria Delgado', email: 'maria.delgado@customer.example' }
  await addBookingOf(shop, { ...maria, date: '2026-11-24', service: 'Multipoint Inspection' })
  await addBookingOf(shop, { ...maria, date: '2026-10-03', service: 'Brake Job', completed: true })
  await addBookingOf(shop, { ...maria, date: '2026-08-12', status: 'no_show' })
  await addBookingOf(shop, {
    ...maria,
    date: '2026-06-20',
    completed: true,
    vehicle: ['2011', 'Toyota', 'Tacoma'],
  })
  await addBookingOf(shop, {
    name: 'Luis Ortega',
    phone: '(650) 555-0199',
    date: '2026-11-26',
    vehicle: ['2006', 'Acura', 'TSX'],
  })
  await shop.database.query(
    `update vehicles set plate = '8KLM204', vin = '1M8GDM9AXKP042788', color = 'Green' where model = 'Outback'`,
  )
}
