import { requestData } from '#web/lib/data/request-data.ts'

/** An appointment that a visitor has just made. */
export type NewBooking = {
  readonly id: string
  readonly customer_name: string
  /** yyyy-MM-dd, shop time. */
  readonly appointment_date: string
  /** HH:mm:ss, shop time. */
  readonly appointment_time: string
  readonly service_name: string
}

/** Enough for what a gap may have held: it is told as a number. */
const most = 100

/** The latest line of all stories; 0 when there is none. */
export async function readLatestEvent(): Promise<number> {
  const { data } = await requestData((service) =>
    service.from('booking_events').select('id').order('id', { ascending: false }).limit(1),
  )
  return data[0]?.id ?? 0
}

/**
 * What visitors booked, by these lines or since another one, and the latest line that was looked at. One that waits for
 * its e-mail to be answered is not there before it was.
 */
export async function listNewBookings(
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
