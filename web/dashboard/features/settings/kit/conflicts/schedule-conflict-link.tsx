import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { Badge } from '#web/ui/badge/badge.tsx'
import { formatBookedCount } from './schedule-conflict-dialog.tsx'

/** Leads to the appointments that lie outside, where they are moved or kept; nothing when there is none. */
export function ScheduleConflictLink({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <SearchLink className="schedule-conflict-link" search="?tab=appointments&view=list">
      <Badge tone="warn">{formatBookedCount(count)}</Badge>
    </SearchLink>
  )
}
