import { useEffect, useState } from 'react'

/**
 * Returns the seconds until the server accepts another login attempt, updated every second; 0 if no wait is required.
 */
export function useCountdown() {
  const [endsAtMs, setEndsAtMs] = useState(0)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const tick = () => setSeconds(Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [endsAtMs])
  return { seconds, start: (wait: number) => setEndsAtMs(Date.now() + wait * 1000) }
}

/** Formats the remaining time of a countdown: '3:58'. */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
