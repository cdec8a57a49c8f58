import type { VisitPageData } from '#contracts/bookings/visit-page.ts'
import { type VehicleFacts, vehicleState } from '#domain/bookings/vehicle-state.ts'
import { type Query, rowsAs } from '@local/postgres'

type Read = Omit<VisitPageData, 'state'> & { readonly facts: VehicleFacts }

/** Reads the booking that a visit page shows; undefined if the booking was deleted. */
export async function readVisitPage(
  query: Query,
  bookingId: string,
): Promise<VisitPageData | undefined> {
  const [row] = rowsAs<{ booking: Read | null }>(
    await query('select internal.read_visit_page($1) as booking', [bookingId]),
  )
  if (!row?.booking) return undefined
  const { facts, ...booking } = row.booking
  return { ...booking, state: vehicleState(facts) }
}

/**
 * Returns those times in `shown` that other bookings have occupied in the meantime, as 'HH:mm:ss'. `shown` contains the
 * times ('HH:mm') that the page offered.
 */
export async function listTakenTimes(
  query: Query,
  bookingId: string,
  date: string,
  shown: readonly string[],
): Promise<string[]> {
  const rows = rowsAs<{ time: string }>(
    await query('select internal.list_taken_times($1, $2, $3) as time', [bookingId, date, shown]),
  )
  return rows.map(({ time }) => time)
}

/** Lists the times ('HH:mm:ss') of a date to which a booking can be moved. */
export async function listRescheduleTimes(
  query: Query,
  bookingId: string,
  date: string,
): Promise<string[]> {
  const rows = rowsAs<{ time: string }>(
    await query('select internal.list_reschedule_times($1, $2) as time', [bookingId, date]),
  )
  return rows.map(({ time }) => time)
}
