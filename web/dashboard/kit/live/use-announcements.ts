import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { logQuietly } from '#web/lib/data/log-quietly.ts'

/**
 * Announces bookings and quote requests of visitors while the dashboard is open. The browser loads this code after the
 * first view, because the first view does not need the code.
 */
export function useAnnouncements(): void {
  const navigate = useNavigate()
  useEffect(() => {
    let stop: (() => void) | undefined
    let hasEnded = false
    const start = async () => {
      const { announceAll } = await import('./announce-all.ts')
      if (!hasEnded) stop = announceAll((link) => void navigate(link))
    }
    start().catch((error) => logQuietly('announcements not loaded', error))
    return () => {
      hasEnded = true
      stop?.()
    }
  }, [navigate])
}
