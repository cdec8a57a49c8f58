import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLiveBookings } from '#web/dashboard/kit/live/use-live-bookings.ts'
import { everyMinuteMs, todayKey } from './today-key.ts'
import { readNeedsAttention } from './today-api.ts'
import './today-link.css'

const attentionId = 'needs-attention'

/** The link to the Today page, with a dot while an item needs attention. */
export function TodayLink() {
  useLiveBookings(todayKey)
  const attention = useQuery({
    queryKey: [todayKey, 'needs-attention'],
    queryFn: readNeedsAttention,
    refetchInterval: everyMinuteMs,
  })
  const needsAttention = attention.data === true
  return (
    <>
      <h1>
        <Link
          className="start-link"
          to="/today"
          aria-describedby={needsAttention ? attentionId : undefined}
        >
          Admin Dashboard
          {needsAttention && <i aria-hidden="true" />}
        </Link>
      </h1>
      {needsAttention && (
        <span className="visually-hidden" id={attentionId}>
          Needs attention
        </span>
      )}
    </>
  )
}
