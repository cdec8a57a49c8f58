import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { scheduleConflictsQuery } from '#web/dashboard/kit/bookings/schedule-conflicts.ts'
import { taskLink } from '#web/dashboard/kit/navigation/links.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import {
  rateFlagLabels,
  formatHold,
  isFlagged,
  looksAutomated,
  scheduleConflictLabel,
} from './booking-text.ts'

/**
 * Badges that show whether a booking has a schedule conflict, looks automated, waits for the customer's confirmation,
 * or has a task. The badge of a task links to the task.
 */
export function BookingBadges({ booking }: { booking: Booking }) {
  const [task] = booking.tasks
  const flagged = isFlagged(booking)
  const hold = formatHold(booking)
  const scheduleConflict = useQuery(scheduleConflictsQuery).data?.find(
    ({ booking_id }) => booking_id === booking.id,
  )
  if (!task && !flagged && !scheduleConflict) return null
  return (
    <p className="booking-badges">
      {scheduleConflict && <Badge tone="warn">{scheduleConflictLabel(scheduleConflict)}</Badge>}
      {flagged && <Badge tone="warn">{suspicion(booking)}</Badge>}
      {hold && <span className="booking-detail">{hold}</span>}
      {task && (
        <Link className="touch-link booking-detail" {...taskLink(task.id)}>
          In tasks
        </Link>
      )}
    </p>
  )
}

function suspicion(booking: Booking): string {
  const [reason = ''] = booking.flagged_reasons
  return looksAutomated(booking) ? 'Check: looks automated' : (rateFlagLabels[reason] ?? '')
}
