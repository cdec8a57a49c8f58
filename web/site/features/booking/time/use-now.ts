import { useEffect, useState } from 'react'

const everyMs = 10_000

/**
 * The current time, updated every ten seconds and when the visitor returns to the tab: browsers slow down or stop the
 * timers of background tabs.
 */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const renew = () => setNow(new Date())
    const timer = setInterval(renew, everyMs)
    const wakeUps = [
      [document, 'visibilitychange'],
      [window, 'focus'],
      [window, 'pageshow'],
    ] as const
    for (const [target, event] of wakeUps) target.addEventListener(event, renew)
    return () => {
      clearInterval(timer)
      for (const [target, event] of wakeUps) target.removeEventListener(event, renew)
    }
  }, [])
  return now
}
