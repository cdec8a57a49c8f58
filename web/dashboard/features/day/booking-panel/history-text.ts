import * as z from 'zod/mini'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { bookingStateLabel } from '#domain/bookings/state-labels.ts'
import { formatLength } from '#domain/text/span-text.ts'
import { formatShortDate } from '#domain/calendar/calendar-date.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { type NameOf } from '#web/dashboard/kit/staff/staff-name.tsx'

/**
 * The recorded fields of a booking that the history describes in words. The history ignores all other recorded fields.
 */
const eventFields = z.object({
  /** The date, yyyy-MM-dd. */
  date: z.optional(z.string()),
  /** The start, HH:mm. */
  time: z.optional(z.string()),
  minutes: z.optional(z.int()),
  /** The bay's name; null for a booking without a bay. */
  bay: z.optional(z.nullable(z.string())),
  state: z.optional(z.string()),
  service: z.optional(z.string()),
  /** The names of the fields that staff edited. */
  edited: z.optional(z.array(z.string())),
})
type EventFields = z.output<typeof eventFields>

/**
 * An event in the history of a booking, as stored in the table `booking_events` (docs/product.md 12.1). For a change,
 * `before` and `after` contain only the changed fields.
 */
export const historyEntry = z.object({
  id: z.int(),
  kind: z.string(),
  source: z.enum(['visitor', 'counter', 'customer', 'system', 'task']),
  changed_by_name: z.string(),
  before: z.nullable(eventFields),
  after: z.nullable(eventFields),
  reason: z.nullable(z.string()),
  happened_at: z.string(),
})
export type HistoryEntry = z.output<typeof historyEntry>

const plain: Readonly<Record<string, string>> = {
  arrived: 'Arrived',
  started: 'Work started',
  completed: 'Completed',
  cancelled: 'Cancelled',
  no_show: 'No-show',
  reopened: 'Reopened',
  kept: 'Kept',
  confirmed: 'Confirmed',
  not_confirmed: 'Not confirmed in time',
  answered: 'Customer confirmed',
  explained: 'Cancellation reason given',
  relinked: 'New customer link',
  notification_dismissed: 'Dismissed “Customer not notified”',
}

/** Describes an event of the booking's history: 'Moved from 1:00 PM to 3:00 PM, Bay 2'. */
export function formatEvent({ kind, before, after }: HistoryEntry): string {
  const [from, to] = [slotText(before), slotText(after)]
  switch (kind) {
    case 'booked':
      return to ? `Booked for ${to}` : 'Booked'
    case 'moved':
      return `Moved from ${from} to ${to}`
    case 'placed':
      return `Placed in ${to}`
    case 'extended':
      return `Extended ${lengths(before, after)}`
    case 'shortened':
      return `Shortened ${lengths(before, after)}`
    case 'edited':
      return editText(before, after)
    case 'undone':
      return `Back to ${stateText(after)}`
    case 'changed':
      return `Status changed to ${stateText(after)}`
    default:
      return plain[kind] ?? kind
  }
}

/** Names the person who caused the event, and its time: 'Sam (staff), Nov 23, 4:10 PM'. */
export function formatActor(
  { source, changed_by_name, happened_at }: HistoryEntry,
  nameOf: NameOf,
): string {
  const name = nameOf(changed_by_name, happened_at)
  const actor = {
    visitor: 'On the website',
    counter: `${name} (staff)`,
    customer: 'The customer',
    system: 'Automatically',
    task: `${name} (task)`,
  }[source]
  return `${actor}, ${formatShortStamp(happened_at)}`
}

function slotText(fields: EventFields | null): string {
  if (!fields) return ''
  const { date, time, bay } = fields
  const parts = [
    date && formatShortDate(date),
    time && formatTime(time),
    bay === null ? 'no bay' : bay,
  ]
  return parts.filter(Boolean).join(', ')
}

function lengths(before: EventFields | null, after: EventFields | null): string {
  return `from ${formatLength(before?.minutes ?? 0)} to ${formatLength(after?.minutes ?? 0)}`
}

/** Lists the fields that an edit changed: 'Edited: Clutch instead of Brake check, 3:00 PM, vehicle, phone'. */
function editText(before: EventFields | null, after: EventFields | null): string {
  const services = after?.service && `${after.service} instead of ${before?.service ?? ''}`
  const others = after?.edited?.filter((field) => field !== 'service') ?? []
  return `Edited: ${[services, slotText(after), ...others].filter(Boolean).join(', ')}`
}

const stateText = (changed: EventFields | null) =>
  changed?.state ? bookingStateLabel(changed.state) : ''
