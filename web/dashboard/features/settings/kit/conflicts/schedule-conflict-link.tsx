import { Link } from '@tanstack/react-router'
import { bookingListLink } from '#web/dashboard/kit/navigation/links.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { formatBookedCount } from './schedule-conflict-dialog.tsx'

/** A link to the schedule conflicts, with their number. Renders nothing for 0. */
export function ScheduleConflictLink({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Link className="schedule-conflict-link" {...bookingListLink}>
      <Badge tone="warn">{formatBookedCount(count)}</Badge>
    </Link>
  )
}
