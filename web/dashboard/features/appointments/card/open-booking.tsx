import type { Booking } from '#contracts/bookings/bookings.ts'
import { useBookingAddress } from '#web/dashboard/kit/bookings/use-booking-address.ts'

/** The button with the customer's name, which opens the panel of the booking. */
export function OpenBooking({ booking }: { booking: Booking }) {
  const { chosenId, choose } = useBookingAddress()
  return (
    <button
      type="button"
      className="open-booking"
      aria-expanded={chosenId === booking.id}
      onClick={() => choose(booking.id)}
    >
      {booking.customer_name}
    </button>
  )
}
