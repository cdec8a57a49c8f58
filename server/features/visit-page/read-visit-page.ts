import type { ColoredVehicle } from '#domain/customers/vehicle.ts'
import {
  type VehicleFacts,
  type VehicleState,
  vehicleState,
} from '#domain/bookings/vehicle-state.ts'
import { type Query, rowsAs } from '@local/postgres'

/** The data of the visit page, in shop time. For a flagged booking, the data contains no untrusted text. */
export type VisitPageData = ColoredVehicle & {
  readonly id: string
  /** The calendar sequence of the booking, with which an action names the version that the customer saw. */
  readonly sequence: number
  /** The state of the vehicle (docs/product.md 12.14). */
  readonly state: VehicleState
  /** Whether the time of the appointment has begun. */
  readonly hasStarted: boolean
  /** Whether another customer could book the time now. */
  readonly isTimeFree: boolean
  /** The current shop time as 'yyyy-MM-ddTHH:mm:ss'. */
  readonly now: string
  readonly serviceName: string
  /** The shop time of the appointment as 'yyyy-MM-dd' and 'HH:mm:ss'. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  /** Empty when the name is hidden. */
  readonly customerName: string
  /** Whether an email about the last change was queued. */
  readonly wasEmailed: boolean
  readonly notes: string | null
  /** ISO 8601 time until which a held booking keeps its slot. */
  readonly heldUntil: string | null
  /** Whether the customer confirmed to come. */
  readonly hasConfirmedAttendance: boolean
  /** The last moment of an online change, as 'yyyy-MM-ddTHH:mm:ss' shop time. */
  readonly changeUntil: string
  readonly cancelUntil: string
  readonly mayChange: boolean
  readonly mayCancel: boolean
  readonly canRestore: boolean
  readonly history: readonly HistoryEntry[]
}

/** A row of `booking_events`; `before` and `after` contain only what changed. */
export type HistoryEntry = {
  readonly kind: string
  readonly source: 'visitor' | 'counter' | 'customer' | 'system' | 'task'
  /** Shop time 'yyyy-MM-ddTHH:mm:ss'. */
  readonly at: string
  readonly before: HistoryDetails | null
  readonly after: HistoryDetails | null
}

type HistoryDetails = {
  readonly date?: string
  /** The clock time 'HH:mm'. */
  readonly time?: string
  readonly state?: string
}

type Read = Omit<VisitPageData, 'state'> & { readonly facts: VehicleFacts }

/** Reads the booking of a visit page; undefined after it was deleted. */
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

/** Returns those of the shown times ('HH:mm') that other customers have booked since, as 'HH:mm:ss'. */
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
