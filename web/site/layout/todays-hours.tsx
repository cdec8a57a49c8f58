import { useRef } from 'react'
import { groupOpeningHours } from '#domain/calendar/opening-hours.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import {
  formatClosure,
  formatSpecialHours,
  hoursOn,
  specialDayOn,
} from '#domain/calendar/special-days.ts'
import { useShop } from '#web/lib/shop.ts'
import { usePublicToday } from '#web/lib/time/use-public-today.ts'

/**
 * Shows today's opening hours, such as 'Open today 8:30 AM – 9:00 PM'. Until the browser has determined the current day
 * at the shop, shows the weekly hours instead.
 */
export function TodaysHours() {
  const box = useRef<HTMLSpanElement>(null)
  const shop = useShop()
  const today = usePublicToday(box)
  return (
    <span ref={box}>
      {today === null
        ? groupOpeningHours(shop.week).map(({ text }) => <span key={text}>{text} </span>)
        : textOf(today, shop)}
    </span>
  )
}

function textOf(today: string, shop: ShopFacts): string {
  const hours = hoursOn(today, shop)
  if (hours.length > 0) return `Open today ${formatSpecialHours(hours)}`
  return formatClosure(specialDayOn(today, shop))
}
