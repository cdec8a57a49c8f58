import { formatHours, groupOpeningHours, openingHours } from '#domain/opening-hours.ts'
import { useShopWeekday } from '#web/lib/use-shop-weekday.ts'

/** 'Open today 8:30 AM – 9:00 PM'; the week's hours until the browser knows what day it is at the shop. */
export function OpenToday() {
  const today = useShopWeekday()
  if (today === null) return groupOpeningHours().map(({ text }) => <span key={text}>{text} </span>)
  return `Open today ${formatHours(openingHours[today])}`
}
