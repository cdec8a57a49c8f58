import type { Booking } from '#contracts/bookings/bookings.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/** The customer's name, which opens the panel of the booking. */
export function OpenBooking({ booking }: { booking: Booking }) {
  const panel = usePanel()
  const isOpen = panel.shown.booking === booking.id
  return (
    <button
      type="button"
      className="open-booking"
      aria-expanded={isOpen}
      onClick={() =>
        panel.shown.booking === undefined
          ? panel.open({ booking: booking.id })
          : panel.replace({ booking: booking.id, move: undefined })
      }
    >
      {booking.customer_name}
    </button>
  )
}
