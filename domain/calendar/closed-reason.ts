import { calendarOf } from './shop-calendar.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { formatClosure, hoursOn, specialDayOn } from './special-days.ts'

/** The reason why no time can be booked on a day; undefined when at least one bay is open. */
export function closedReason(day: string, shop: ShopFacts): string | undefined {
  if (calendarOf(shop).openingsOn(day).flat().length > 0) return undefined
  if (hoursOn(day, shop).length > 0) return 'No times free'
  return formatClosure(specialDayOn(day, shop))
}
