import { formatSpan } from './booking-block-text.ts'
import type { NewBooking } from './new-booking.ts'

/** '1:00 – 2:00 PM New booking': what the open panel is about to take. The panel says it to who does not see it. */
export function NewBookingBlock({ booking }: { booking: NewBooking }) {
  return (
    <div className="day-new">
      <b>{formatSpan(booking)}</b>
      <span>New booking</span>
    </div>
  )
}
