import { useSyncExternalStore } from 'react'
import type { Weekday } from '#domain/opening-hours.ts'
import { shopTimeZone } from '#domain/shop-time-zone.ts'

const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const never = () => () => {}

/** Today's weekday at the shop. `null` in prerendered HTML and while hydrating: the build cannot know the day. */
export function useShopWeekday(): Weekday | null {
  return useSyncExternalStore<Weekday | null>(never, shopWeekday, () => null)
}

function shopWeekday(): Weekday {
  const name = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: shopTimeZone() })
  return names.indexOf(name.format(new Date())) as Weekday
}
