import { addDays } from './calendar-date.ts'
import { minuteOfTime, timeOfMinute } from './clock-time.ts'

/*
 * Moments of the shop's wall clock without a zone, 'yyyy-MM-ddTHH:mm' or with seconds: what an appointment takes is
 * counted on that clock (docs/product.md 3.10), also through a night in which it is turned.
 */

const minutesOfDay = 24 * 60

/** The moment so many minutes later by the wall clock, negative goes back: 'yyyy-MM-ddTHH:mm'. */
export function addMinutes(dateTime: string, minutes: number): string {
  const [date = '', time = ''] = dateTime.split('T')
  const minute = minuteOfTime(time) + minutes
  const days = Math.floor(minute / minutesOfDay)
  return `${addDays(date, days)}T${timeOfMinute(minute - days * minutesOfDay)}`
}

/** Minutes by the wall clock from one moment to another; negative when that is earlier. */
export function minutesBetween(start: string, end: string): number {
  const [startDate = '', startTime = ''] = start.split('T')
  const [endDate = '', endTime = ''] = end.split('T')
  return (
    daysFrom(startDate, endDate) * minutesOfDay + minuteOfTime(endTime) - minuteOfTime(startTime)
  )
}

const daysFrom = (start: string, end: string) =>
  Math.round((Date.parse(end) - Date.parse(start)) / (minutesOfDay * 60_000))
