import {
  addDays,
  isCalendarDate,
  partsOfDate,
  formatShortDate,
  shortDayName,
} from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/** A closure or special opening. Times are shop times, 'yyyy-MM-ddTHH:mm'; the end is exclusive. */
export type ClosureRow = {
  readonly id: string
  readonly startsAt: string
  readonly endsAt: string
  readonly isOpen: boolean
  /** The id of the closed bay; null means the whole shop. */
  readonly bayId: string | null
  readonly reason: string
  readonly isPublic: boolean
}

/** The typed values of a closure. Dates are yyyy-MM-dd and the last day is included; times are 'HH:mm'. */
export type ClosureForm = {
  readonly firstDay: string
  readonly lastDay: string
  readonly isAllDay: boolean
  readonly fromTime: string
  readonly toTime: string
  readonly isOpen: boolean
  /** The id of the closed bay; '' means the whole shop. */
  readonly bayId: string
  readonly reason: string
  readonly isPublic: boolean
}

export const emptyClosureForm: ClosureForm = {
  firstDay: '',
  lastDay: '',
  isAllDay: true,
  fromTime: '12:00',
  toTime: '13:00',
  isOpen: false,
  bayId: '',
  reason: '',
  isPublic: false,
}

/** The first error in the form of a closure, and the field that shows the error. */
export type ClosureRefusal = { readonly field: keyof ClosureForm; readonly message: string }

export const endBeforeStart = 'The end is before the start.'

/**
 * Validates the form and returns the closure or special opening. A special opening lasts one day, so its last day is
 * its first day.
 */
export function readClosure(
  form: ClosureForm,
  today: string,
): Result<Omit<ClosureRow, 'id'>, ClosureRefusal> {
  const lastDay = form.isOpen || form.lastDay === '' ? form.firstDay : form.lastDay
  if (!isCalendarDate(form.firstDay)) return refuse('firstDay', 'Please choose a day.')
  if (!isCalendarDate(lastDay)) return refuse('lastDay', 'Please choose a day.')
  if (lastDay < form.firstDay) return refuse('lastDay', endBeforeStart)
  if (lastDay < today) return refuse('firstDay', 'This day is over.')
  if (addDays(form.firstDay, 366) < lastDay)
    return refuse('lastDay', 'A closure can last at most a year.')
  const isAllDay = form.isAllDay && !form.isOpen
  const startsAt = `${form.firstDay}T${isAllDay ? '00:00' : form.fromTime}`
  const endsAt = isAllDay ? `${addDays(lastDay, 1)}T00:00` : dateTimeOf(lastDay, form.toTime)
  if (endsAt <= startsAt) return refuse('toTime', endBeforeStart)
  const { isOpen, isPublic } = form
  const reason = form.reason.trim()
  return accepted({ startsAt, endsAt, isOpen, bayId: form.bayId || null, reason, isPublic })
}

const refuse = (field: keyof ClosureForm, message: string) => refused({ field, message })

/** '24:00' means the midnight at the end of a day. */
function dateTimeOf(day: string, time: string): string {
  return time === '24:00' ? `${addDays(day, 1)}T00:00` : `${day}T${time}`
}

/** The form values of an existing closure. */
export function closureForm(row: ClosureRow): ClosureForm {
  const isAllDay = coversWholeDays(row)
  const { isOpen, isPublic, reason } = row
  return {
    ...emptyClosureForm,
    firstDay: dayOf(row.startsAt),
    lastDay: lastDayOf(row),
    isAllDay,
    ...(!isAllDay && { fromTime: timeOf(row.startsAt), toTime: endTimeOf(row) }),
    isOpen,
    isPublic,
    reason,
    bayId: row.bayId ?? '',
  }
}

type Span = Pick<ClosureRow, 'startsAt' | 'endsAt'>

const dayOf = (dateTime: string) => dateTime.slice(0, 10)
const timeOf = (dateTime: string) => dateTime.slice(11, 16)
const endTimeOf = ({ endsAt }: Span) => (timeOf(endsAt) === '00:00' ? '24:00' : timeOf(endsAt))

export const coversWholeDays = ({ startsAt, endsAt }: Span) =>
  timeOf(startsAt) === '00:00' && timeOf(endsAt) === '00:00'

/** The last day on which a closure has an effect. */
export function lastDayOf({ endsAt }: Span): string {
  return timeOf(endsAt) === '00:00' ? addDays(dayOf(endsAt), -1) : dayOf(endsAt)
}

/**
 * The dates of a closure: 'Thu, Nov 26', 'Mon, Dec 28 – 31', 'Thu, Dec 31 – Sat, Jan 2'; with the year if it is not the
 * current year.
 */
export function formatDays(span: Span, today: string): string {
  const [first, last] = [dayOf(span.startsAt), lastDayOf(span)]
  const year = last.slice(0, 4) === today.slice(0, 4) ? '' : `, ${last.slice(0, 4)}`
  if (first === last) return shortDay(first) + year
  const isOneMonth = first.slice(0, 7) === last.slice(0, 7)
  const end = isOneMonth ? String(partsOfDate(last).day) : shortDay(last)
  return `${shortDay(first)} – ${end}${year}`
}

/** The times of a closure or special opening in words: 'All day', '2:00 PM – 3:00 PM'. */
export function formatTimes(row: Span & Pick<ClosureRow, 'isOpen'>): string {
  if (coversWholeDays(row)) return 'All day'
  const times = `${formatTime(timeOf(row.startsAt))} – ${formatTime(timeOf(row.endsAt))}`
  return row.isOpen ? `Open ${times}` : times
}

/** A date with its short weekday: 'Thu, Nov 26'. */
const shortDay = (date: string) => `${shortDayName(date)}, ${formatShortDate(date)}`

/** Whether an appointment overlaps a closure, even in part. */
export function touches(
  row: Span & Pick<ClosureRow, 'bayId' | 'isOpen'>,
  booking: {
    appointment_date: string
    appointment_time: string
    duration_minutes: number
    bay_id: string | null
  },
): boolean {
  if (row.isOpen || (row.bayId !== null && row.bayId !== booking.bay_id)) return false
  const start = Date.parse(`${booking.appointment_date}T${booking.appointment_time.slice(0, 5)}Z`)
  const end = start + booking.duration_minutes * 60_000
  return start < Date.parse(`${row.endsAt}Z`) && end > Date.parse(`${row.startsAt}Z`)
}
