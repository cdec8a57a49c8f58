import { useRef } from 'react'
import { formatHours, groupOpeningHours, type OpeningHours } from '#domain/opening-hours.ts'
import { useShop } from '#web/lib/shop.ts'
import { useShopWeekday } from '#web/lib/use-shop-weekday.ts'

/** 'Open today 8:30 AM – 9:00 PM'; the week's hours until the browser knows what day it is at the shop. */
export function OpenToday() {
  const box = useRef<HTMLSpanElement>(null)
  const { week } = useShop()
  const today = useShopWeekday(box)
  return (
    <span ref={box}>
      {today === null
        ? groupOpeningHours(week).map(({ text }) => <span key={text}>{text} </span>)
        : textOfToday(week[today])}
    </span>
  )
}

function textOfToday(hours: OpeningHours | null): string {
  return hours ? `Open today ${formatHours(hours)}` : 'Closed'
}
