import type { Booking } from '#contracts/bookings.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { Badge } from '#web/ui/badge.tsx'

/** What else is worth knowing at a glance: a task was made of it, or it looked automated. */
export function BookingMarks({ booking }: { booking: Booking }) {
  const [task] = booking.tasks
  const isFlagged = booking.flagged_reasons.length > 0
  if (!task && !isFlagged) return null
  return (
    <p className="marks">
      {isFlagged && <Badge tone="warn">Check: looks automated</Badge>}
      {task && (
        <SearchLink className="m" search={`?tab=tasks&task=${task.id}`}>
          In tasks
        </SearchLink>
      )}
    </p>
  )
}
