import { useSyncExternalStore } from 'react'
import { shopToday } from '#domain/calendar/shop-time.ts'

const recheckMs = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, recheckMs)
  return () => clearInterval(timer)
}

const today = () => shopToday(new Date())

/**
 * Today's date at the shop (yyyy-MM-dd); updates at midnight in the shop's time zone. Do not use this hook on
 * prerendered pages, whose HTML may be from another day.
 */
export function useShopToday(): string {
  return useSyncExternalStore(subscribe, today)
}
