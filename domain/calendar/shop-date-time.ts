import { addDays } from './calendar-date.ts'
import { minuteOfTime, timeOfMinute } from './clock-time.ts'

/*
 * Times of the shop's wall clock without a zone, 'yyyy-MM-ddTHH:mm' or with seconds. The length of an appointment is
 * counted on this clock (docs/product.md 3.10), also in a night in which the clock changes.
 */

const minutesOfDay = 24 * 60

/** The wall-clock time `minutes` later, 'yyyy-MM-ddTHH:mm'; negative numbers go back. */
export function addMinutes(dateTime: string, minutes: number): string {
  const [date = '', time = ''] = dateTime.split('T')
  const minute = minuteOfTime(time) + minutes
  const days = Math.floor(minute / minutesOfDay)
  return `${addDays(date, days)}T${timeOfMinute(minute - days * minutesOfDay)}`
}

/** Wall-clock minutes from one time to another; negative when the second is earlier. */
export function minutesBetween(start: string, end: string): number {
  const [startDate = '', startTime = ''] = start.split('T')
  const [endDate = '', endTime = ''] = end.split('T')
  return (
    daysFrom(startDate, endDate) * minutesOfDay + minuteOfTime(endTime) - minuteOfTime(startTime)
  )
}

const daysFrom = (start: string, end: string) =>
  Math.round((Date.parse(end) - Date.parse(start)) / (minutesOfDay * 60_000))
