import type { Booking } from '#contracts/bookings.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { holdLine, isSuspicious } from './booking-words.ts'

/** What else is worth knowing at a glance: a task was made of it, it looks automated, it waits for a click. */
export function BookingMarks({ booking }: { booking: Booking }) {
  const [task] = booking.tasks
  const isFlagged = isSuspicious(booking)
  const hold = holdLine(booking)
  if (!task && !isFlagged) return null
  return (
    <p className="marks">
      {isFlagged && <Badge tone="warn">{suspicion(booking)}</Badge>}
      {hold && <span className="m">{hold}</span>}
      {task && (
        <SearchLink className="m" search={`?tab=tasks&task=${task.id}`}>
          In tasks
        </SearchLink>
      )}
    </p>
  )
}

function suspicion({ flagged_reasons }: Booking): string {
  const hasManyOnly = flagged_reasons.every((reason) => reason === 'many_open_bookings')
  return hasManyOnly ? 'Check: more than five open' : 'Check: looks automated'
}
