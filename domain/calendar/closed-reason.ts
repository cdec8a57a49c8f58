import { calendarOf } from './shop-calendar.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { formatClosure, hoursOn, specialDayOn } from './special-days.ts'

/** Why the shop has no bookable time on a day; undefined when a bay is open on it. */
export function closedReason(day: string, shop: ShopFacts): string | undefined {
  if (calendarOf(shop).openingsOn(day).flat().length > 0) return undefined
  if (hoursOn(day, shop).length > 0) return 'No times free'
  return formatClosure(specialDayOn(day, shop))
}
