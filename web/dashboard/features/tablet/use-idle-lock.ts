import { useEffect, useRef, useState } from 'react'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { callApi } from '#web/lib/data/call-api.ts'

const lockMs = 120_000
const warnMs = 15_000
const reportMs = 5_000

/**
 * Locks the tablet two minutes after the last touch or key press, and reports touches to the server. A warning appears
 * 15 seconds before the lock; during the warning, returns the seconds until the lock.
 */
export function useIdleLock(lock: () => void): number | undefined {
  const [secondsLeft, setSecondsLeft] = useState<number>()
  const locking = useRef(lock)
  useEffect(() => void (locking.current = lock), [lock])
  useEffect(() => {
    let touchedAtMs = Date.now()
    let reportedAtMs = touchedAtMs
    let isLocked = false
    const report = () => {
      if (touchedAtMs <= reportedAtMs || Date.now() - reportedAtMs < reportMs) return
      reportedAtMs = Date.now()
      void callApi(tabletEndpoints.touch)
    }
    const touch = () => {
      // No timer ran while the tablet was asleep. After more than two minutes (`lockMs`), the touch that wakes the
      // tablet up must lock the tablet instead of extending the tablet session.
      if (Date.now() - touchedAtMs >= lockMs) return
      touchedAtMs = Date.now()
      setSecondsLeft(undefined)
      report()
    }
    const check = () => {
      report()
      const leftMs = lockMs - (Date.now() - touchedAtMs)
      if (leftMs <= warnMs) setSecondsLeft(Math.max(0, Math.ceil(leftMs / 1000)))
      if (leftMs > 0 || isLocked) return
      isLocked = true
      locking.current()
    }
    const timer = setInterval(check, 500)
    for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, touch, true)
    return () => {
      clearInterval(timer)
      for (const event of ['pointerdown', 'keydown']) window.removeEventListener(event, touch, true)
    }
  }, [])
  return secondsLeft
}
