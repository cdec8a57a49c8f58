import { requestData } from '#web/lib/data/request-data.ts'
import { formatNewBookings, type NewBooking } from './new-booking-text.ts'
import type { Announced } from './announce-records.ts'

/**
 * The maximum number of booking events to read after an interruption of the live stream. For several bookings, the
 * toast states only their number.
 */
const most = 100

/** Announces the appointments that visitors book. */
export const newBookings: Announced<NewBooking, number> = {
  what: 'new bookings',
  idsIn: (event) => (event.name === 'bookings' ? event.data.events : undefined),
  createReader,
  format: formatNewBookings,
}

/**
 * Creates the function that reads new bookings. With the ids of booking events, it reads the bookings of these events.
 * Without ids, as after an interruption of the live stream, it reads all bookings since the latest known event.
 */
function createReader() {
  const announced = new Set<string>()
  let latest: number | undefined
  return async (ids?: readonly number[]): Promise<NewBooking[]> => {
    if (!ids && latest === undefined) {
      latest = await readLatestEvent()
      return []
    }
    const found = await listNewBookings(ids ? { ids } : { after: latest ?? 0 })
    latest = Math.max(latest ?? 0, found.latest)
    const received = found.bookings.filter(({ id }) => !announced.has(id))
    for (const { id } of received) announced.add(id)
    return received
  }
}

/** The id of the latest booking event; 0 when there is none. */
async function readLatestEvent(): Promise<number> {
  const { data } = await requestData((service) =>
    service.from('booking_events').select('id').order('id', { ascending: false }).limit(1),
  )
  return data[0]?.id ?? 0
}

/**
 * Reads appointments that visitors booked: those of the booking events with the given ids, or those since a given
 * event. Also returns the id of the latest event. A suspicious booking is left out until its customer confirms it by
 * email.
 */
async function listNewBookings(
  lines: { readonly ids: readonly number[] } | { readonly after: number },
): Promise<{ readonly bookings: NewBooking[]; readonly latest: number }> {
  const { data: events } = await requestData((service) => {
    const query = service
      .from('booking_events')
      .select('id, booking_id')
      .in('kind', ['booked', 'confirmed'])
      .in('source', ['visitor', 'customer'])
    return ('ids' in lines ? query.in('id', [...lines.ids]) : query.gt('id', lines.after))
      .order('id')
      .limit(most)
  })
  const latest = events.at(-1)?.id ?? 0
  if (events.length === 0) return { bookings: [], latest }
  const ids = [...new Set(events.map(({ booking_id }) => booking_id))]
  const { data: bookings } = await requestData((service) =>
    service
      .from('bookings')
      .select('id, customer_name, appointment_date, appointment_time, service_name')
      .in('id', ids)
      .is('held_until', null)
      .not('status', 'in', '(cancelled,not_confirmed)'),
  )
  return { bookings, latest }
}
