import { shopToday } from '#domain/shop-time.ts'
import type { Shop } from './fixtures.ts'

/** Puts an appointment into the shop's database, past the rules for visitors; returns its id. */
export async function addBooking(
  shop: Shop,
  booking: {
    time: string
    name: string
    date?: string
    service?: string
    phone?: string
    notes?: string
    completed?: boolean
  },
): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes,
       customer_name, customer_email, customer_phone, notes,
       vehicle_year, vehicle_make, vehicle_model, vehicle_color, completed_at, completed_by)
     select id, $1, $2, duration_minutes, $3, $4, $5, $6, '2019', 'Subaru', 'Outback', 'Green',
       case when $7 then now() end, case when $7 then 'admin' end
     from services where name = $8
     returning id`,
    [
      booking.date ?? shopToday(new Date()),
      booking.time,
      booking.name,
      `${booking.name.split(' ')[0]?.toLowerCase()}@customer.example`,
      booking.phone ?? '(650) 555-0167',
      booking.notes ?? null,
      booking.completed ?? false,
      booking.service ?? 'Oil Change',
    ],
  )
  return rows[0]?.id ?? ''
}

/** An empty calendar and no tasks. */
export async function clearBookings(shop: Shop): Promise<void> {
  await shop.database.query('truncate tasks, bookings cascade')
}
