import { useQuery } from '@tanstack/react-query'
import { SearchLink } from '#web/lib/search-link.tsx'
import { useLiveBookings } from '#web/lib/use-live-bookings.ts'
import { everyMinuteMs, todayKey } from './today-key.ts'
import { readNeedsAttention } from './today-api.ts'
import './start-link.css'

const waitingId = 'somebody-waits'

/** The way to the start page, with a dot while somebody waits. */
export function TodayLink(props: { search: string; isHere: boolean; onFollow: () => void }) {
  const { search, isHere, onFollow } = props
  useLiveBookings(todayKey)
  const waits = useQuery({
    queryKey: [todayKey, 'somebody-waits'],
    queryFn: readNeedsAttention,
    refetchInterval: everyMinuteMs,
  })
  const somebodyWaits = waits.data === true
  return (
    <>
      <h1>
        <SearchLink
          className="start-link"
          search={search}
          onFollow={onFollow}
          aria-current={isHere ? 'page' : undefined}
          aria-describedby={somebodyWaits ? waitingId : undefined}
        >
          Admin Dashboard
          {somebodyWaits && <i aria-hidden="true" />}
        </SearchLink>
      </h1>
      {somebodyWaits && (
        <span className="visually-hidden" id={waitingId}>
          Needs attention
        </span>
      )}
    </>
  )
}
