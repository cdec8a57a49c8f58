import type { ColoredVehicle } from '#domain/customers/vehicle.ts'
import {
  type VehicleFacts,
  type VehicleState,
  vehicleState,
} from '#domain/bookings/vehicle-state.ts'
import { type Query, rowsAs } from '@local/postgres'

/** What the private page of an appointment says; dates and times are the shop's. Of a flagged one nothing that was typed. */
export type VisitPageData = ColoredVehicle & {
  readonly id: string
  /** What a change names: the calendar sequence that its customer saw. */
  readonly sequence: number
  /** The state of the vehicle (docs/product.md 12.14). */
  readonly state: VehicleState
  /** Whether the time of the appointment has begun. */
  readonly hasStarted: boolean
  /** Whether its time could be booked by somebody else now. */
  readonly isTimeFree: boolean
  /** 'yyyy-MM-ddTHH:mm:ss' */
  readonly now: string
  readonly serviceName: string
  /** 'yyyy-MM-dd' and 'HH:mm:ss' */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  /** Empty when it is not told. */
  readonly customerName: string
  /** Whether a letter told them of the last change. */
  readonly wasEmailed: boolean
  readonly notes: string | null
  /** ISO 8601: until when a held one keeps its time. */
  readonly heldUntil: string | null
  /** Whether the customer said that they will come. */
  readonly hasConfirmedAttendance: boolean
  /** 'yyyy-MM-ddTHH:mm:ss': the last moment for it. */
  readonly changeUntil: string
  readonly cancelUntil: string
  readonly mayChange: boolean
  readonly mayCancel: boolean
  readonly canRestore: boolean
  readonly history: readonly HistoryEntry[]
}

/** A line of `booking_events`: facts of before and after hold what changed. */
export type HistoryEntry = {
  readonly kind: string
  readonly source: 'visitor' | 'counter' | 'customer' | 'system' | 'task'
  /** 'yyyy-MM-ddTHH:mm:ss', shop time. */
  readonly at: string
  readonly before: HistoryDetails | null
  readonly after: HistoryDetails | null
}

type HistoryDetails = {
  readonly date?: string
  /** 'HH:mm' */
  readonly time?: string
  readonly state?: string
}

type Read = Omit<VisitPageData, 'state'> & { readonly facts: VehicleFacts }

/** Reads the appointment of a page; undefined once it was deleted. */
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

/** Which of the times ('HH:mm') that the page showed somebody else has taken since: 'HH:mm:ss'. */
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

/** The times ('HH:mm:ss') of a date at which an appointment could be instead. */
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
