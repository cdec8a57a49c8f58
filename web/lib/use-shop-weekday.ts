import type { RefObject } from 'react'
import type { Weekday } from '#domain/opening-hours.ts'
import { shopTimeZone } from '#domain/shop-time-zone.ts'
import { useNear } from './use-near.ts'

const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

let formatter: Intl.DateTimeFormat | undefined

/**
 * Today's weekday at the shop, for a box that tells it. `null` in prerendered HTML, which cannot know the
 * day, and until the box comes near: a browser takes 20 ms and more to make its first formatter.
 */
export function useShopWeekday(box: RefObject<Element | null>): Weekday | null {
  return useNear(box) ? shopWeekday() : null
}

function shopWeekday(): Weekday {
  formatter ??= new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: shopTimeZone() })
  return names.indexOf(formatter.format(new Date())) as Weekday
}
