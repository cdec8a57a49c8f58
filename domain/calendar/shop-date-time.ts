import { addDays } from './calendar-date.ts'
import { minuteOfTime, timeOfMinute } from './clock-time.ts'

/*
 * Times of the shop's wall clock without a time zone, 'yyyy-MM-ddTHH:mm' or with seconds. The duration of an
 * appointment is counted on this clock (docs/product.md 3.10), even in a night in which daylight-saving time begins
 * or ends.
 */

const minutesOfDay = 24 * 60

/** The wall-clock time that is `minutes` later, or earlier when `minutes` is negative: 'yyyy-MM-ddTHH:mm'. */
export function addMinutes(dateTime: string, minutes: number): string {
  const [date = '', time = ''] = dateTime.split('T')
  const minute = minuteOfTime(time) + minutes
  const days = Math.floor(minute / minutesOfDay)
  return `${addDays(date, days)}T${timeOfMinute(minute - days * minutesOfDay)}`
}

/** The wall-clock minutes from `start` to `end`; negative when `end` is earlier. */
export function minutesBetween(start: string, end: string): number {
  const [startDate = '', startTime = ''] = start.split('T')
  const [endDate = '', endTime = ''] = end.split('T')
  return (
    daysFrom(startDate, endDate) * minutesOfDay + minuteOfTime(endTime) - minuteOfTime(startTime)
  )
}

const daysFrom = (start: string, end: string) =>
  Math.round((Date.parse(end) - Date.parse(start)) / (minutesOfDay * 60_000))
