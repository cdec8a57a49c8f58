import { useSyncExternalStore } from 'react'

const recheckMs = 30_000

/** Whether an instant is in the past, checked every 30 seconds. Always false for null. */
export function useHasPassed(instant: Date | null): boolean {
  return useSyncExternalStore(
    everyHalfMinute,
    () => instant !== null && instant.getTime() <= Date.now(),
  )
}

function everyHalfMinute(listener: () => void): () => void {
  const timer = setInterval(listener, recheckMs)
  return () => clearInterval(timer)
}
