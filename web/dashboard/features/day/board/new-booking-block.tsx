import { formatSpan } from './booking-block-text.ts'
import type { NewBooking } from './new-booking.ts'

/**
 * '1:00 – 2:00 PM New booking': a preview of the booking in the open panel. The preview is hidden from screen
 * readers, because the panel itself states the time.
 */
export function NewBookingBlock({ booking }: { booking: NewBooking }) {
  return (
    <div className="day-new">
      <b>{formatSpan(booking)}</b>
      <span>New booking</span>
    </div>
  )
}
