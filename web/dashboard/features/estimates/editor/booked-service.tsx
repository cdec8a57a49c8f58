import { priceFrom } from '#domain/money/price-from.ts'
import { useEstimateBooking } from '../use-estimate-booking.ts'

type Props = {
  /** The booking from which the estimate was created; null without one. */
  bookingId: string | null
}

/** What the customer wrote when they booked. */
export function CustomerConcern({ bookingId }: Props) {
  const notes = useEstimateBooking(bookingId).data?.notes
  if (!notes) return null
  return (
    <section className="note" aria-label="Customer’s note">
      <b>Customer’s note</b>
      <p className="note-text">{notes}</p>
    </section>
  )
}

/**
 * The lowest price that the customer saw when they booked. It is never filled in, because it is no price of this work.
 */
export function WebsitePrice({ bookingId }: Props) {
  const cents = useEstimateBooking(bookingId).data?.service_price_cents
  if (typeof cents !== 'number') return null
  return <p className="totals-needed">Website says {priceFrom(cents)}</p>
}
