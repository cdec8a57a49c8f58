import { SearchLink } from '#web/lib/search-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { formatBookedCount } from './misfit-question.tsx'

/** Leads to the appointments that lie outside, where they are moved or kept; nothing when there is none. */
export function ScheduleConflictLink({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <SearchLink className="misfit-link" search="?tab=appointments&view=list">
      <Badge tone="warn">{formatBookedCount(count)}</Badge>
    </SearchLink>
  )
}
