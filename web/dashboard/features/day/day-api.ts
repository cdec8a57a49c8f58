import * as z from 'zod/mini'
import { type Booking, bookingColumns } from '#contracts/bookings/bookings.ts'
import { type DayBooking, type ShopDay, shopDay } from '#contracts/bookings/day.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import { isUuid } from '#web/lib/is-uuid.ts'
import { type HistoryEntry, historyEntry } from './booking-panel/history-text.ts'

/** Reads the bays, hours, closures and appointments of a date (yyyy-MM-dd). */
export async function readDay(date: string): Promise<ShopDay> {
  const { data } = await requestData((service) => service.rpc('read_day', { day: date }))
  return shopDay.parse(data)
}

/**
 * Reads a booking with its emails and tasks. Returns undefined if the booking does not exist or the id is not a UUID.
 */
export async function readAppointment(id: string): Promise<Booking | undefined> {
  if (!isUuid(id)) return undefined
  const { data } = await requestData((service) =>
    service.from('bookings').select(bookingColumns).eq('id', id),
  )
  return data[0]
}

/**
 * Reads the history event that created the booking, with its source, author and time. Returns null if the history does
 * not contain this event.
 */
export async function readBookingSource(id: string) {
  const { data } = await requestData((service) =>
    service
      .from('booking_events')
      .select('source, changed_by_name, happened_at')
      .eq('booking_id', id)
      .eq('kind', 'booked')
      .order('id')
      .limit(1),
  )
  return data[0] ?? null
}
export type BookingSource = NonNullable<Awaited<ReturnType<typeof readBookingSource>>>

/** Reads the history of a booking, latest first, at most 100 entries. */
export async function readHistory(id: string): Promise<HistoryEntry[]> {
  const { data } = await requestData((service) =>
    service
      .from('booking_events')
      .select('id, kind, source, changed_by_name, before, after, reason, happened_at')
      .eq('booking_id', id)
      .order('id', { ascending: false })
      .limit(100),
  )
  return z.array(historyEntry).parse(data)
}

/** Reads the customer's other bookings, latest first, at most 50. */
export async function listOtherBookings(id: string) {
  const { data } = await requestData((service) =>
    service
      .rpc('list_other_bookings', { booking_id: id })
      .select('id, appointment_date, service_name, status'),
  )
  return data
}
export type OtherBooking = Awaited<ReturnType<typeof listOtherBookings>>[number]

/**
 * Records that the customer needs no email about the current state of the booking. The database rejects the call if
 * `version` is not the current version of the booking.
 */
export async function dismissNotification(
  { id, version }: Pick<DayBooking, 'id' | 'version'>,
  reason: string,
): Promise<void> {
  await requestData((service) =>
    service.rpc('dismiss_notification', { booking_id: id, seen_version: version, reason }),
  )
}

/**
 * Saves the internal note of a booking if the stored note still equals `seen`, the note that the user saw before
 * typing. Otherwise throws error TT051 and saves nothing.
 */
export async function saveInternalNote(id: string, note: string, seen: string): Promise<void> {
  await requestData((service) =>
    service.rpc('save_booking_note', { booking_id: id, note, seen_note: seen }),
  )
}
