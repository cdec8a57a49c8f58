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

/** Reasons that are no sign of a machine by themselves (hold_bookings_in_a_rush.sql). */
const crowds: Readonly<Record<string, string>> = {
  many_open_bookings: 'Check: more than five open',
  many_from_one_client: 'Check: many from one sender',
  many_at_once: 'Check: part of a rush',
}

function suspicion({ flagged_reasons: [reason = '', ...others] }: Booking): string {
  const crowd = crowds[reason]
  return crowd !== undefined && others.length === 0 ? crowd : 'Check: looks automated'
}
