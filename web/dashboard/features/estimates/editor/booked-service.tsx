import { priceFrom } from '#domain/money/price-from.ts'
import { useEstimateBooking, useEstimateQuote } from '../use-estimate-booking.ts'

type Props = {
  /** The id of the booking from which the estimate was created; null for an estimate without a booking. */
  bookingId: string | null
}

/** The text that the customer wrote in the booking or quote request from which the estimate was created. */
export function CustomerConcern(props: Props & { quoteRequestId: string | null }) {
  const booked = useEstimateBooking(props.bookingId).data?.notes
  const asked = useEstimateQuote(props.quoteRequestId).data?.description
  const notes = booked || asked
  if (!notes) return null
  return (
    <section className="note" aria-label="Customer’s note">
      <b>Customer’s note</b>
      <p className="note-text">{notes}</p>
    </section>
  )
}

/**
 * Shows the 'from' price of the service that the customer saw when booking. The estimate does not copy this price,
 * because the price does not cover the actual work.
 */
export function WebsitePrice({ bookingId }: Props) {
  const cents = useEstimateBooking(bookingId).data?.service_price_cents
  if (typeof cents !== 'number') return null
  return <p className="totals-needed">Website says {priceFrom(cents)}</p>
}
