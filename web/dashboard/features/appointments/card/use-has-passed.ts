import { useSyncExternalStore } from 'react'

const recheckMs = 30_000

/** Whether an instant lies behind; looks again every half minute. Null never passes. */
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
