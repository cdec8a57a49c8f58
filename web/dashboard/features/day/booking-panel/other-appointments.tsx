import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { partsOfDate, formatShortDate } from '#domain/calendar/calendar-date.ts'
import { vehicleLine } from '#domain/customers/vehicle.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { listOtherBookings, type OtherBooking } from '../day-api.ts'

const shownAtFirst = 3

/** The vehicle of the booking, and the other appointments of the same customer. */
export function OtherAppointments({ booking }: { booking: DayBooking }) {
  const [showsAll, setShowsAll] = useState(false)
  const otherBookings = useQuery({
    queryKey: ['bookings', 'other-bookings', booking.id],
    queryFn: () => listOtherBookings(booking.id),
  })
  const all = otherBookings.data ?? []
  const shown = showsAll ? all : all.slice(0, shownAtFirst)
  return (
    <section className="panel-part">
      <h3>
        <Icon name="car" />
        {vehicleLine(booking) || 'Vehicle unknown'}
      </h3>
      {otherBookings.isError && <p>The other appointments could not be loaded.</p>}
      {otherBookings.data?.length === 0 && <p>First appointment.</p>}
      <ul className="panel-history">
        {shown.map((otherBooking) => (
          <OtherBookingLine key={otherBooking.id} otherBooking={otherBooking} />
        ))}
      </ul>
      {all.length > shown.length && (
        <Button compact level="quiet" onClick={() => setShowsAll(true)}>
          All {all.length} appointments
        </Button>
      )}
    </section>
  )
}

function OtherBookingLine({ otherBooking }: { otherBooking: OtherBooking }) {
  const { appointment_date: date, service_name, status } = otherBooking
  return (
    <li>
      <b>
        {formatShortDate(date)}, {partsOfDate(date).year}
      </b>
      <span>{service_name}</span>
      {status === 'no_show' && <Badge tone="danger">No-show</Badge>}
      {status === 'cancelled' && <Badge tone="ring">Cancelled</Badge>}
    </li>
  )
}
