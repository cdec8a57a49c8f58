import type { Booking } from '#contracts/bookings.ts'
import { emailDeliveryColumns } from '#contracts/email-delivery.ts'
import { addDays } from '#domain/calendar-date.ts'
import { askData } from '#web/lib/ask-data.ts'

const COLUMNS = `id, service_id, appointment_date, appointment_time, duration_minutes,
  customer_name, customer_email, customer_phone, notes,
  vehicle_year, vehicle_make, vehicle_model, vehicle_color,
  status, completed_at, completed_by, flagged_reasons,
  service:services(name, duration_minutes), tasks(id),
  emails(${emailDeliveryColumns})`

/** How many appointments of the list are read at a time. */
export const LIST_PAGE_SIZE = 25

/** All appointments of the week that begins on `monday` (yyyy-MM-dd), in order. */
export async function listWeek(monday: string): Promise<Booking[]> {
  const { data } = await askData((service) =>
    service
      .from('bookings')
      .select(COLUMNS)
      .gte('appointment_date', monday)
      .lte('appointment_date', addDays(monday, 6))
      .order('appointment_date')
      .order('appointment_time')
      .overrideTypes<Booking[], { merge: false }>(),
  )
  return data
}

export type BookingPage = { readonly bookings: Booking[]; readonly total: number }

/**
 * The first `limit` open appointments, earliest first, or completed ones, latest first; found by every word
 * of `search`, if there is one. `total`, of all there are, is 0 unless they are to be counted.
 */
export async function listBookings(
  state: 'open' | 'completed',
  search: string,
  limit: number,
  isCounted = true,
): Promise<BookingPage> {
  const ascending = state === 'open'
  const counting = isCounted ? ({ count: 'exact' } as const) : {}
  const { data, count } = await askData((service) => {
    const all = service.from('bookings').select(COLUMNS, counting)
    // What is searched for is a name or a number: as an argument it stays out of the address.
    const found = service.rpc('find_bookings', { search }, counting).select(COLUMNS)
    const rows = search === '' ? all : (found as unknown as typeof all)
    return (ascending ? rows.is('completed_at', null) : rows.not('completed_at', 'is', null))
      .order('appointment_date', { ascending })
      .order('appointment_time', { ascending })
      .limit(limit)
      .overrideTypes<Booking[], { merge: false }>()
  })
  return { bookings: data, total: count }
}

/** How many appointments there are, whatever is shown of them; asked once for all who want to know. */
export const bookingCount = {
  queryKey: ['bookings', 'count'],
  queryFn: countBookings,
  staleTime: 5_000,
}

async function countBookings(): Promise<number> {
  const { count } = await askData((service) =>
    service.from('bookings').select('id', { count: 'exact', head: true }),
  )
  return count
}

/** @returns false when it was completed, or gone, already: another window was faster. */
export async function completeBooking(id: string): Promise<boolean> {
  const { data } = await askData((service) =>
    service
      .from('bookings')
      .update({ completed_at: new Date().toISOString(), completed_by: 'admin' })
      .eq('id', id)
      .is('completed_at', null)
      .select('id'),
  )
  return data.length > 0
}

/** @returns false when it was open, or gone, already. */
export async function undoCompletion(id: string): Promise<boolean> {
  const { data } = await askData((service) =>
    service
      .from('bookings')
      .update({ completed_at: null, completed_by: null })
      .eq('id', id)
      .not('completed_at', 'is', null)
      .select('id'),
  )
  return data.length > 0
}

export async function deleteBooking(id: string): Promise<void> {
  await askData((service) => service.from('bookings').delete().eq('id', id))
}
