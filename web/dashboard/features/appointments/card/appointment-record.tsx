import type { Booking } from '#contracts/bookings/bookings.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { vehicleLine } from '#domain/customers/vehicle.ts'
import { mailto } from '#web/lib/browser/mailto.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { BookingButtons, type BookingHandlers } from './booking-buttons.tsx'
import { BookingBadges } from './booking-badges.tsx'
import { OpenBooking } from './open-booking.tsx'
import { statusBadge } from './booking-text.ts'
import { ConfirmationState } from './confirmation-state.tsx'
import './booking-card.css'
import type { Selection } from '../cancel/use-selection.ts'

type Props = {
  booking: Booking
  handlers: BookingHandlers
  /** The bookings that the user has selected; undefined in lists without checkboxes. */
  selection?: Selection | undefined
}

/** One booking in the list. */
export function AppointmentRecord({ booking, handlers, selection }: Props) {
  const badge = statusBadge(booking)
  return (
    <article className="card record">
      <div>
        <h3>
          {selection && (
            <label className="record-pick">
              <input
                type="checkbox"
                checked={selection.has(booking.id)}
                onChange={() => selection.toggle(booking)}
              />
              <span className="visually-hidden">
                Select the appointment of {booking.customer_name}
              </span>
            </label>
          )}
          <OpenBooking booking={booking} />{' '}
          <Badge tone={badge.tone} caps={badge.label === 'COMPLETED'}>
            {badge.label}
          </Badge>
        </h3>
        {booking.customer_email && (
          <p>
            <a className="touch-link" href={mailto(booking.customer_email)}>
              {booking.customer_email}
            </a>
          </p>
        )}
        <p>
          <a className="touch-link" href={tel(booking.customer_phone)}>
            {booking.customer_phone}
          </a>
        </p>
      </div>
      <div>
        <p>
          <b>{formatLongDate(booking.appointment_date)}</b>
        </p>
        <p className="record-detail">{formatTime(booking.appointment_time)}</p>
        <BookingBadges booking={booking} />
        <ConfirmationState booking={booking} />
      </div>
      <div>
        <p>
          <b>{booking.service_name}</b>{' '}
          <span className="record-detail">{booking.duration_minutes} minutes</span>
        </p>
        <p>{vehicleLine(booking)}</p>
        {booking.notes && <p className="record-detail booking-notes">{booking.notes}</p>}
      </div>
      <div className="record-actions">
        <BookingButtons booking={booking} undoLabel="Undo Complete" {...handlers} />
      </div>
    </article>
  )
}
