import { formatHours, type OpeningHours, type Weekday } from './opening-hours.ts'
import type { ShopFacts, SpecialDay } from '#domain/shop/shop.ts'

/*
 * Every public page loads this, so it asks the language for what domain/calendar/calendar-date.ts would say: a date alone is
 * UTC's midnight to it.
 */

type Hours = Pick<ShopFacts, 'week' | 'specialDays'>

/** When the shop is open on a date, special days included; empty when it is closed. */
export function hoursOn(date: string, shop: Hours): readonly OpeningHours[] {
  return specialDayOn(date, shop)?.hours ?? regularHours(date, shop)
}

/** What is told of a date, when the week's hours may not hold on it. */
export function specialDayOn(date: string, { specialDays }: Hours): SpecialDay | undefined {
  return specialDays.find((day) => day.date === date)
}

/** When the week says that the shop is open on a date. */
export function regularHours(date: string, { week }: Hours): readonly OpeningHours[] {
  return [week[new Date(date).getUTCDay() as Weekday] ?? []].flat()
}

/** 'Closed: Thanksgiving Day', or 'Closed' where no reason is told. */
export function formatClosure(day: Pick<SpecialDay, 'reason'> | undefined): string {
  return day?.reason ? `Closed: ${day.reason}` : 'Closed'
}

/** '8:30 AM – 2:00 PM, 3:00 PM – 9:00 PM' */
export function formatSpecialHours(hours: readonly OpeningHours[]): string {
  return hours.map(formatHours).join(', ')
}
