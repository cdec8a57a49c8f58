import { type RefObject, useSyncExternalStore } from 'react'
import { shopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import { useNearViewport } from '#web/lib/browser/use-near-viewport.ts'

const recheckMs = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, recheckMs)
  return () => clearInterval(timer)
}

let formatter: Intl.DateTimeFormat | undefined

/**
 * Formats a date as yyyy-MM-dd in the shop's time zone, the format of the database, which is also the format of the
 * Swedish locale. domain/calendar/shop-time.ts does the same, but every public page would have to load that module.
 */
function today(): string {
  formatter ??= new Intl.DateTimeFormat('sv-SE', { timeZone: shopTimeZone() })
  return formatter.format()
}

/**
 * Today's date at the shop (yyyy-MM-dd) for the element `box` on a prerendered page. Null in the prerendered HTML,
 * which may be from another day. Null until the element comes near the viewport, because creating the first date
 * formatter takes a browser 20 ms. Updates at midnight in the shop's time zone.
 */
export function usePublicToday(box: RefObject<Element | null>): string | null {
  const isNear = useNearViewport(box)
  return useSyncExternalStore<string | null>(
    subscribe,
    () => (isNear ? today() : null),
    () => null,
  )
}
