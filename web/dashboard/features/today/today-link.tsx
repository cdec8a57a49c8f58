import { useQuery } from '@tanstack/react-query'
import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { useLiveBookings } from '#web/dashboard/kit/live/use-live-bookings.ts'
import { everyMinuteMs, todayKey } from './today-key.ts'
import { readNeedsAttention } from './today-api.ts'
import './today-link.css'

const attentionId = 'needs-attention'

/** The link to the Today page, with a dot while an item needs attention. */
export function TodayLink(props: { search: string; isHere: boolean; onFollow: () => void }) {
  const { search, isHere, onFollow } = props
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
        <SearchLink
          className="start-link"
          search={search}
          onFollow={onFollow}
          aria-current={isHere ? 'page' : undefined}
          aria-describedby={needsAttention ? attentionId : undefined}
        >
          Admin Dashboard
          {needsAttention && <i aria-hidden="true" />}
        </SearchLink>
      </h1>
      {needsAttention && (
        <span className="visually-hidden" id={attentionId}>
          Needs attention
        </span>
      )}
    </>
  )
}
