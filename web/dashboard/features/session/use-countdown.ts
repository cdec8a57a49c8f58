import { useEffect, useState } from 'react'

/** Counts the seconds down to the time at which another attempt is accepted; 0 without a wait. */
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

/** A time of a countdown: '3:58'. */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
