import type { DayBooking } from '#contracts/day.ts'
import { dayNames, partsOfDate, formatDate, weekdayOf } from '#domain/calendar-date.ts'
import { formatMinute, minuteOfTime } from '#domain/clock-time.ts'
import type { MinuteSpan } from '#domain/day-spans.ts'
import { formatShopTime } from '#domain/shop-time.ts'
import { vehicleName } from '#domain/vehicle.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

type Word = { readonly tone: BadgeTone; readonly label: string }

const states: Readonly<Record<string, Word>> = {
  confirmed: { tone: 'neutral', label: 'Booked' },
  pending: { tone: 'warn', label: 'Pending' },
  arrived: { tone: 'warn', label: 'Arrived' },
  in_work: { tone: 'info', label: 'In work' },
  completed: { tone: 'ok', label: 'Done' },
  cancelled: { tone: 'ring', label: 'Cancelled' },
  no_show: { tone: 'danger', label: 'No-show' },
  not_confirmed: { tone: 'ring', label: 'Not confirmed' },
}

/** The state of a car in the day; one that staff wrote as it is, one that waits for its e-mail as held. */
export function stateWord({ state, held_until }: DayBooking): Word {
  if (held_until !== null) return { tone: 'warn', label: 'Held' }
  return states[state] ?? { tone: 'neutral', label: state }
}

/** The line of one word about a car: since when it waits, else what staff noted, else what the customer said. */
export function noteLine({ state, state_since, shop_note, notes }: DayBooking): string | undefined {
  if (shop_note) return shop_note
  if (state === 'arrived') return `Here since ${formatShopTime(new Date(state_since))}`
  return notes ? `“${notes}”` : undefined
}

/** '1:00 PM, Maria Delgado, 2019 Subaru Outback, Multipoint Inspection, Booked' */
export function carLine(booking: DayBooking): string {
  return [
    timeOf(booking.starts_at),
    booking.customer_name,
    vehicleName(booking),
    booking.service_name,
    stateWord(booking).label,
  ]
    .filter(Boolean)
    .join(', ')
}

/** '2026-11-24T13:00:00' → '1:00 PM' */
export function timeOf(moment: string): string {
  return formatMinute(minuteOf(moment))
}

/** '1:00 – 2:00 PM', '11:00 AM – 12:00 PM', 'Nov 23, 4:00 PM – 10:00 AM' for a night. */
export function timesOf({ starts_at, ends_at }: DayBooking): string {
  const [from, to] = [timeOf(starts_at), timeOf(ends_at)]
  if (starts_at.slice(0, 10) !== ends_at.slice(0, 10)) {
    return `${shortDate(starts_at.slice(0, 10))}, ${from} – ${shortDate(ends_at.slice(0, 10))}, ${to}`
  }
  return `${from.slice(-2) === to.slice(-2) ? from.slice(0, -3) : from} – ${to}`
}

function minuteOf(moment: string): number {
  return minuteOfTime(moment.slice(11))
}

/** 660 → '11 AM', 735 → '12:15 PM' */
export function shortTime(minute: number): string {
  return formatMinute(minute).replace(':00', '')
}

/** '2–3 PM', '11 AM – 12:15 PM' */
export function shortTimes({ startsAtMinute, endsAtMinute }: MinuteSpan): string {
  const [from, to] = [shortTime(startsAtMinute), shortTime(endsAtMinute)]
  return from.slice(-2) === to.slice(-2) ? `${from.slice(0, -3)}–${to}` : `${from} – ${to}`
}

/** 30 → '30 min', 105 → '1 h 45 min' */
export function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ') || '0 min'
}

/** 'Tuesday, November 24' */
export function dayTitle(date: string): string {
  return `${dayNames[weekdayOf(date)]}, ${formatDate(date).split(',')[0]}`
}

/** 'Tue, November 24' */
export function shortDayTitle(date: string): string {
  return dayTitle(date).replace(/^(\w{3})\w*/, '$1')
}

/** 'Nov 24' */
export function shortDate(date: string): string {
  return `${formatDate(date).slice(0, 3)} ${partsOfDate(date).day}`
}
