import { useEffect, useState } from 'react'

const everyMs = 10_000

/**
 * The time, renewed every ten seconds and whenever the visitor comes back to the tab: browsers slow down
 * or stop the clocks of tabs in the background.
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
