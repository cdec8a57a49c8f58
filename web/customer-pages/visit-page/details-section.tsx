import type { ReactNode } from 'react'
import type { VisitPage } from '#contracts/api/customer-pages.ts'
import { isAhead, type VisitPageData } from '#contracts/bookings/visit-page.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { shopZoneName } from '#domain/calendar/shop-time.ts'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import { vehicleLine } from '#domain/customers/vehicle.ts'
import { addressLine, cityAndState, mapUrlOf, type Shop } from '#domain/shop/shop.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { oneUntrustedLine, untrustedLines, withoutLinks } from '#domain/text/untrusted-text.ts'
import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { cancellationOf, formatStampDateTime } from './visit-page-text.ts'

export const untrustedLine = (text: string) => withoutLinks(oneUntrustedLine(text, 160))

export function QuickLinks({ page: { booking, path } }: { page: VisitPage }) {
  const shop = useShop()
  return (
    <ul className="visit-quick">
      {isAhead(booking) && (
        <li>
          <a href={`${path}/appointment.ics`}>
            <Icon name="calendar" />
            <span>Add to calendar</span>
          </a>
        </li>
      )}
      <li>
        <a href={mapUrlOf(shop)} data-directions={addressLine(shop)} rel="noreferrer">
          <Icon name="pin" />
          <span>Directions</span>
        </a>
      </li>
      <li>
        <a href={shop.phone.href}>
          <Icon name="phone" />
          <span>Call us</span>
        </a>
      </li>
    </ul>
  )
}

type Detail = readonly [name: string, value: ReactNode]

export function Details({ booking }: { booking: VisitPageData }) {
  const shop = useShop()
  const vehicle = vehicleLine(booking)
  const details: readonly Detail[] = [
    ...(booking.state === 'cancelled' ? cancelledDetails(booking) : bookingDetails(shop, booking)),
    ...(vehicle === '' ? [] : [['Vehicle', untrustedLine(vehicle)] as const]),
    ...(booking.notes
      ? [['Your note', withoutLinks(untrustedLines(booking.notes, 600))] as const]
      : []),
  ]
  return (
    <dl className="card summary visit-details">
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function bookingDetails(
  shop: Shop,
  { date, time, durationMinutes, serviceName }: VisitPageData,
): Detail[] {
  const zone = shopZoneName(shop.timeZone)
  const at = `${formatTime(time)} shop time (${zone}), about ${formatDuration(durationMinutes)}`
  const { street, postalCode } = shop.address
  return [
    ['When', lines(formatLongDate(date), at)],
    ['What', serviceName],
    ['Where', lines(street, `${cityAndState(shop)} ${postalCode}`)],
  ]
}

const lines = (first: string, second: string) => (
  <>
    {first}
    <br />
    {second}
  </>
)

function cancelledDetails(booking: VisitPageData): Detail[] {
  const cancelled = cancellationOf(booking)
  const by = cancelled?.source === 'customer' ? 'By you' : 'By the shop'
  return [
    ['Was', <s key="was">{formatDateTime(booking.date, booking.time)}</s>],
    ['What', booking.serviceName],
    ...(cancelled ? [['Cancelled', `${by}, ${formatStampDateTime(cancelled.at)}`] as const] : []),
  ]
}
