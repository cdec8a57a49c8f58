import { formatHours, groupOpeningHours } from '#domain/opening-hours.ts'
import { useShop } from '#web/lib/shop.ts'
import { useShopWeekday } from '#web/lib/use-shop-weekday.ts'

/** 'Open today 8:30 AM – 9:00 PM'; the week's hours until the browser knows what day it is at the shop. */
export function OpenToday() {
  const { week } = useShop()
  const today = useShopWeekday()
  if (today === null)
    return groupOpeningHours(week).map(({ text }) => <span key={text}>{text} </span>)
  const hours = week[today]
  return hours ? `Open today ${formatHours(hours)}` : 'Closed'
}
