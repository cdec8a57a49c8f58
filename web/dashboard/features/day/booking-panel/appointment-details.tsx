import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { formatShopTime, formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatLength } from '#domain/text/span-text.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { vehicleLine } from '#domain/customers/vehicle.ts'
import { mailto } from '#web/lib/browser/mailto.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { formatBookingTimes } from '../board/booking-block-text.ts'
import { type BookingSource, readBookingSource } from '../day-api.ts'

/** The details of a booking: time, bay, service, customer contact, and its source. */
export function AppointmentDetails(props: {
  booking: DayBooking
  bay: ShopDay['bays'][number] | undefined
}) {
  const { booking, bay } = props
  const origin = useQuery({
    queryKey: ['bookings', 'origin', booking.id],
    queryFn: () => readBookingSource(booking.id),
  })
  return (
    <dl className="panel-details">
      <Detail name="When">{whenOf(booking)}</Detail>
      <Detail name="Where">
        {bay ? [bay.name, bay.technician].filter(Boolean).join(', ') : 'No bay yet'}
      </Detail>
      <Detail name="Service">
        {booking.service_name}, {formatLength(booking.minutes)}
      </Detail>
      <Detail name="Vehicle">{vehicleLine(booking) || 'Not known'}</Detail>
      {booking.notes && <Detail name="Customer’s note">{booking.notes}</Detail>}
      <Detail name="Phone">
        <a className="touch-link" href={tel(booking.customer_phone)}>
          {booking.customer_phone}
        </a>
      </Detail>
      <Detail name="Email">
        {booking.customer_email ? (
          <a className="touch-link" href={mailto(booking.customer_email)}>
            {booking.customer_email}
          </a>
        ) : (
          'No email address'
        )}
      </Detail>
      {booking.held_until && (
        <Detail name="On hold">Until {formatShopTime(new Date(booking.held_until))}</Detail>
      )}
      {origin.data && (
        <Detail name="Booked">
          <Origin {...origin.data} />
        </Detail>
      )}
    </dl>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The date and time of a booking: 'Tuesday, November 24, 1:00 – 2:00 PM'. */
function whenOf(booking: DayBooking): string {
  const [date, lastDate] = [booking.starts_at.slice(0, 10), booking.ends_at.slice(0, 10)]
  return date === lastDate
    ? `${formatDayOfYear(date)}, ${formatBookingTimes(booking)}`
    : formatBookingTimes(booking)
}

function Origin({ source, changed_by_name, happened_at }: BookingSource) {
  const nameOf = useNameOf()
  const how =
    source === 'counter' ? `By phone, ${nameOf(changed_by_name, happened_at)}` : 'On the website'
  return `${how}, ${formatShortStamp(happened_at)}`
}
