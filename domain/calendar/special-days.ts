import { formatHours, type OpeningHours, type Weekday } from './opening-hours.ts'
import type { ShopFacts, SpecialDay } from '#domain/shop/shop.ts'

/*
 * Every public page loads this file, so this file uses `Date` instead of importing domain/calendar/calendar-date.ts.
 * `new Date('yyyy-MM-dd')` is midnight UTC, so `getUTCDay` returns the weekday of the date.
 */

type Hours = Pick<ShopFacts, 'week' | 'specialDays'>

/**
 * The hours in which the shop is open on a date: the hours of the special day if the date is a special day, otherwise
 * the weekly hours. An empty list means that the shop is closed.
 */
export function hoursOn(date: string, shop: Hours): readonly OpeningHours[] {
  return specialDayOn(date, shop)?.hours ?? regularHours(date, shop)
}

/** The special day on a date; undefined when the date is an ordinary day. */
export function specialDayOn(date: string, { specialDays }: Hours): SpecialDay | undefined {
  return specialDays.find((day) => day.date === date)
}

/** The shop's weekly hours for the weekday of a date, without special days. */
export function regularHours(date: string, { week }: Hours): readonly OpeningHours[] {
  return [week[new Date(date).getUTCDay() as Weekday] ?? []].flat()
}

/** The text for a closed day: 'Closed: Thanksgiving Day', or 'Closed' when the closure has no public reason. */
export function formatClosure(day: Pick<SpecialDay, 'reason'> | undefined): string {
  return day?.reason ? `Closed: ${day.reason}` : 'Closed'
}

/** The open spans of a special day as text: '8:30 AM – 2:00 PM, 3:00 PM – 9:00 PM'. */
export function formatSpecialHours(hours: readonly OpeningHours[]): string {
  return hours.map(formatHours).join(', ')
}
