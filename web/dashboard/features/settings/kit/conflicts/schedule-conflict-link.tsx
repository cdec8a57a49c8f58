import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { Badge } from '#web/ui/badge/badge.tsx'
import { formatBookedCount } from './schedule-conflict-dialog.tsx'

/** A link to the schedule conflicts, with their number. Renders nothing for 0. */
export function ScheduleConflictLink({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <SearchLink className="schedule-conflict-link" search="?tab=appointments&view=list">
      <Badge tone="warn">{formatBookedCount(count)}</Badge>
    </SearchLink>
  )
}
