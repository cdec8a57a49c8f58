import type { Booking } from '#contracts/bookings/bookings.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { vehicleLine } from '#domain/customers/vehicle.ts'
import { mailto } from '#web/lib/browser/mailto.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { BookingButtons, type BookingHandlers } from './booking-buttons.tsx'
import { BookingBadges } from './booking-badges.tsx'
import { ConfirmationState } from './confirmation-state.tsx'
import { OpenBooking } from './open-booking.tsx'
import { isCompleted, isActive, statusBadge } from './booking-text.ts'
import './booking-card.css'

/** One booking in the week calendar. */
export function BookingCard({
  booking,
  handlers,
}: {
  booking: Booking
  handlers: BookingHandlers
}) {
  const completed = isCompleted(booking)
  const { tone, label } = statusBadge(booking)
  const hasPendingStyle = booking.status === 'pending' || !isActive(booking)
  return (
    <li
      className={`booking-card ${completed ? 'booking-completed' : hasPendingStyle ? 'booking-pending' : ''}`}
    >
      <div className="booking-head">
        <span className="booking-time">{formatTime(booking.appointment_time)}</span>
        {!completed && <Badge tone={tone}>{label}</Badge>}
      </div>
      {completed && (
        <p className="booking-badges">
          <Badge tone="ok" caps>
            COMPLETED
          </Badge>
        </p>
      )}
      <strong>
        <OpenBooking booking={booking} />
      </strong>
      <span className="booking-service">{booking.service_name}</span>
      <span className="printed">{booking.duration_minutes} minutes</span>
      <span className="booking-detail">{vehicleLine(booking, ' ')}</span>
      <a className="touch-link booking-detail" href={tel(booking.customer_phone)}>
        {booking.customer_phone}
      </a>
      {booking.customer_email && (
        <a
          className="touch-link booking-detail"
          href={mailto(booking.customer_email)}
          title={booking.customer_email}
        >
          {booking.customer_email}
        </a>
      )}
      {booking.notes && <p className="printed booking-notes">{booking.notes}</p>}
      <BookingBadges booking={booking} />
      <ConfirmationState booking={booking} compact />
      <div className="booking-buttons">
        <BookingButtons booking={booking} undoLabel="Undo" isSmall {...handlers} />
      </div>
    </li>
  )
}
