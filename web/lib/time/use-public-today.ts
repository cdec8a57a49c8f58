import { type RefObject, useSyncExternalStore } from 'react'
import { shopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import { useNearViewport } from '#web/lib/browser/use-near-viewport.ts'

const recheckMs = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, recheckMs)
  return () => clearInterval(timer)
}

let formatter: Intl.DateTimeFormat | undefined

/** As domain/calendar/shop-time.ts, which every public page would load for this alone; Sweden writes dates as we store them. */
function today(): string {
  formatter ??= new Intl.DateTimeFormat('sv-SE', { timeZone: shopTimeZone() })
  return formatter.format()
}

/**
 * Today at the shop (yyyy-MM-dd) on a page that the server wrote, for a box that tells it: null in its HTML, which may
 * be of another day, and until the box comes near, since a browser takes 20 ms to make its first formatter. Follows
 * when the shop's midnight passes.
 */
export function usePublicToday(box: RefObject<Element | null>): string | null {
  const isNear = useNearViewport(box)
  return useSyncExternalStore<string | null>(
    subscribe,
    () => (isNear ? today() : null),
    () => null,
  )
}
