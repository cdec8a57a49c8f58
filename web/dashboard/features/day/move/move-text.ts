import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { formatLongDate, shortDayName } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatNarrowDateTime } from '#domain/calendar/date-time-text.ts'
import { endOf, type MoveTarget } from './move-api.ts'
import { noBay } from '../phone-booking/phone-bookings-api.ts'

type Bays = ShopDay['bays']

/** Returns three booleans: whether two slots differ in time, in bay, and in duration. */
export function changesOf(from: MoveTarget, to: MoveTarget) {
  return {
    time: from.date !== to.date || from.time !== to.time,
    bay: from.bayId !== to.bayId,
    length: from.minutes !== to.minutes,
  }
}

/** The bay of a slot in words: 'Bay 1', 'no bay', 'the first free bay'. */
export function formatBay(bayId: string, bays: Bays): string {
  if (bayId === noBay) return 'no bay'
  return bays.find(({ id }) => id === bayId)?.name ?? 'the first free bay'
}

/** A slot in words: 'Fri, Nov 27, 9:00 AM, Bay 1'. */
export function formatMoveTarget(slot: MoveTarget, bays: Bays): string {
  return `${formatNarrowDateTime(slot.date, slot.time)}, ${formatBay(slot.bayId, bays)}`
}

/** The end of an appointment in this slot: 'Tue, Nov 24, 2:00 PM'. */
export function formatEnd(slot: MoveTarget): string {
  const [date = '', time = ''] = endOf(slot).split('T')
  return formatNarrowDateTime(date, time)
}

/** The label of the save button: 'Move to Fri, 9:00 AM', 'Move to Bay 2', 'Change end to Wed, 10:00 AM'. */
export function moveLabel(from: MoveTarget, to: MoveTarget, bays: Bays): string {
  const changes = changesOf(from, to)
  if (changes.time) return `Move to ${dayTime(`${to.date}T${to.time}`)}`
  if (changes.bay && to.bayId === noBay) return 'Leave without a bay'
  if (changes.bay) return `Move to ${formatBay(to.bayId, bays)}`
  return changes.length ? `Change end to ${dayTime(endOf(to))}` : 'Move'
}

/** Formats the short weekday and the time: 'Fri, 9:00 AM'. */
function dayTime(dateTime: string): string {
  const [date = '', time = ''] = dateTime.split('T')
  return `${shortDayName(date)}, ${formatTime(time)}`
}

/** The subject of the email about the new time (emails/bookings/booking-change.ts). */
export function emailSubjectLine({ service_name }: DayBooking, { date, time }: MoveTarget): string {
  return `New time: ${service_name}, ${formatLongDate(date)} at ${formatTime(time)}`
}
