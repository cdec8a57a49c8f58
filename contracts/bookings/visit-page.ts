import type { ColoredVehicle } from '#domain/customers/vehicle.ts'
import type { VehicleState } from '#domain/bookings/vehicle-state.ts'
import type { TaskStatus } from '#domain/tasks/task-status.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'

/**
 * The data of the visit page. Times are shop time. For a booking that looks automated, the data contains no text that
 * the visitor typed.
 */
export type VisitPageData = ColoredVehicle & {
  readonly id: string
  /**
   * The calendar sequence of the booking, a number that grows when the appointment changes. The page's forms send the
   * number to the server, which thereby detects that the customer saw an outdated page.
   */
  readonly sequence: number
  /** The state of the vehicle (docs/product.md 12.14). */
  readonly state: VehicleState
  /** Whether the time of the appointment has begun. */
  readonly hasStarted: boolean
  /**
   * For a booking that still needs a confirmation, and for a booking that expired without a confirmation: whether the
   * time is free for another booking. False for all other bookings.
   */
  readonly isTimeFree: boolean
  /** The current shop time as 'yyyy-MM-ddTHH:mm:ss'. */
  readonly now: string
  readonly serviceName: string
  /** The shop time of the appointment as 'yyyy-MM-dd' and 'HH:mm:ss'. */
  readonly date: string
  readonly time: string
  readonly durationMinutes: number
  /** The name of the customer; '' for a booking that looks automated. */
  readonly customerName: string
  /** Whether the server queued an email to the customer about the last change of the booking. */
  readonly wasEmailed: boolean
  readonly notes: string | null
  /** The time (ISO 8601) at which an unconfirmed booking on hold expires; null for all other bookings. */
  readonly heldUntil: string | null
  /** Whether the customer confirmed that they will come. */
  readonly hasConfirmedAttendance: boolean
  /** The latest time at which the customer can change the appointment online, as 'yyyy-MM-ddTHH:mm:ss' shop time. */
  readonly changeUntil: string
  readonly cancelUntil: string
  readonly mayChange: boolean
  readonly mayCancel: boolean
  readonly canRestore: boolean
  readonly history: readonly HistoryEntry[]
}

/** A row of `booking_events`; `before` and `after` contain only the changed fields. */
export type HistoryEntry = {
  readonly kind: string
  readonly source: 'visitor' | 'counter' | 'customer' | 'system' | 'task'
  /** The time of the event, in shop time: 'yyyy-MM-ddTHH:mm:ss'. */
  readonly at: string
  readonly before: HistoryDetails | null
  readonly after: HistoryDetails | null
}

type HistoryDetails = {
  readonly date?: string
  /** The time of the appointment: 'HH:mm', shop time. */
  readonly time?: string
  readonly state?: string
}

/** Returns whether the vehicle is still expected at the shop and the time of the appointment has not begun. */
export const isAhead = ({ state, hasStarted }: VisitPageData): boolean =>
  state === 'expected' && !hasStarted

/** The repair of a booking's vehicle, as the visit page shows it. */
export type RepairStatus = {
  /** The revision of the estimate that the shop sent last; undefined before the shop has sent a revision. */
  readonly sentRevision: SentRevision | undefined
  /** The path of the estimate page: '/estimate/<token>'. */
  readonly estimatePath: string
  readonly tasks: readonly WorkTask[]
  readonly events: readonly WorkEvent[]
  /** Whether the repair has an invoice, even when the page does not show the invoice. */
  readonly hasInvoice: boolean
  readonly invoice: {
    readonly number: string
    readonly totalCents: number
    /** The unpaid amount of the invoice, in cents. */
    readonly balanceCents: number
    readonly isPaid: boolean
    /** The time of the last payment, in shop time: 'yyyy-MM-ddTHH:mm:ss'. */
    readonly paidAt: string | null
  } | null
}

type WorkTask = {
  /**
   * The title of a task that was created from an estimate; empty for other tasks, and while nobody has confirmed that
   * the booking's email address is the customer's.
   */
  readonly title: string
  readonly status: TaskStatus
  /** The note for the customer that the page shows beside the status of the task. */
  readonly note: string
  readonly isReady: boolean
}

type WorkEvent = {
  readonly kind: 'waiting_on_parts' | 'ready'
  readonly title: string
  /** The time of the event, in shop time: 'yyyy-MM-ddTHH:mm:ss'. */
  readonly at: string
}

const visitResults = [
  'moved',
  'cancelled',
  'restored',
  'attendance_confirmed',
  'reason_saved',
  'confirmed',
] as const

/**
 * The action that the customer has just completed on the visit page. After a submitted form, the server redirects the
 * browser to the visit page with this value as the URL parameter `done`.
 */
export type VisitResult = (typeof visitResults)[number]

export const readVisitResult = (value: unknown): VisitResult | undefined =>
  visitResults.find((result) => result === value)

/**
 * The reasons for which the server refuses an action of the visit page: the field `refused` of the database domain
 * `internal.action_outcome`.
 */
export type VisitRefusal =
  | 'gone'
  | 'cancelled'
  | 'over'
  | 'not_confirmed'
  | 'version_conflict'
  | 'too_close'
  | 'not_yours'
  | 'slot_taken'
  | 'too_many'
  | 'booking_paused'
  | 'in_the_past'
  | 'too_far_ahead'
  | 'notice_required'
  | 'outside_hours'
  | 'off_the_grid'
