import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { formatBookingTimes } from './board/booking-block-text.ts'

/** Warns that the vehicle has another booking at the same time. Renders nothing without such a booking. */
export function SameVehicleNotice(props: { others: readonly DayBooking[]; bays: ShopDay['bays'] }) {
  const { others, bays } = props
  if (others.length === 0) return null
  return (
    <Notice tone="warn" title="This vehicle is booked twice at this time.">
      {others.map((other) => (
        <p key={other.id}>
          {bays.find(({ id }) => id === other.bay_id)?.name ?? 'No bay'},{' '}
          {formatBookingTimes(other)}: {other.service_name}
        </p>
      ))}
    </Notice>
  )
}
