import { useSyncExternalStore } from 'react'
import { shopToday } from '#domain/calendar/shop-time.ts'

const recheckMs = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, recheckMs)
  return () => clearInterval(timer)
}

const today = () => shopToday(new Date())

/** Today at the shop (yyyy-MM-dd); follows when the shop's midnight passes. Not for prerendered pages. */
export function useShopToday(): string {
  return useSyncExternalStore(subscribe, today)
}
