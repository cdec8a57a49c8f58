import type { DayBooking } from '#contracts/bookings/day.ts'
import { notificationText } from '#domain/customers/customer-notification.ts'
import { minutesOf } from '#domain/calendar/day-spans.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { NotificationBadge } from '#web/ui/badge/notification-badge.tsx'
import { StateBadge, stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'
import { appearanceOf, formatNote, timeOf, formatBookingTimes } from './booking-block-text.ts'
import type { DayBlock, SelectionState } from './day-layout.ts'

/** A block of at most this many minutes has room for two lines. */
const shortMinutes = 30
/** A block of at most this many minutes shows the note on the line of the service. */
const mediumMinutes = 45

/**
 * A booking in the day grid. The narrow 'No bay' column shows only the time, the customer's name and a
 * pending notification.
 */
export function BookingBlock(props: {
  block: DayBlock
  isNarrow: boolean
  selection: SelectionState
}) {
  const { block, isNarrow, selection } = props
  const { id } = block.booking
  const minutes = minutesOf(block)
  const isShort = isNarrow || minutes <= shortMinutes
  const size = isShort ? 'day-booking-short' : minutes <= mediumMinutes ? 'day-booking-medium' : ''
  return (
    <button
      type="button"
      className={`day-booking ${appearanceOf(block.booking)} ${size}`}
      data-stop={id}
      aria-expanded={selection.chosenId === id}
      onClick={() => selection.onChoose(id)}
    >
      {isNarrow ? (
        <NarrowText booking={block.booking} hasSpace={minutes > mediumMinutes} />
      ) : isShort ? (
        <ShortText booking={block.booking} />
      ) : (
        <FullText booking={block.booking} isMedium={size !== ''} />
      )}
    </button>
  )
}

function NarrowText({ booking, hasSpace }: { booking: DayBooking; hasSpace: boolean }) {
  return (
    <>
      <span className="day-booking-head">
        <b>{timeOf(booking.starts_at)}</b>
        {booking.needs_notification && <Icon name="alert" />}
      </span>
      <span className="day-booking-name">
        <strong>{booking.customer_name}</strong>
        <span className="visually-hidden">, {stateLabel(booking).label}</span>
      </span>
      {hasSpace ? (
        <NotificationLine booking={booking} />
      ) : (
        booking.needs_notification && (
          <span className="visually-hidden">, {notificationText(booking)}</span>
        )
      )}
    </>
  )
}

function ShortText({ booking }: { booking: DayBooking }) {
  return (
    <>
      <span className="day-booking-head">
        <b>{timeOf(booking.starts_at)}</b>
        <strong>{booking.customer_name}</strong>
        <StateBadge booking={booking} />
      </span>
      {booking.needs_notification ? (
        <NotificationLine booking={booking} />
      ) : (
        <span className="day-booking-service">
          {[vehicleName(booking), booking.service_name].filter(Boolean).join(', ')}
        </span>
      )}
    </>
  )
}

function FullText({ booking, isMedium }: { booking: DayBooking; isMedium: boolean }) {
  const note = formatNote(booking)
  return (
    <>
      <span className="day-booking-head">
        <b>{formatBookingTimes(booking)}</b>
        <StateBadge booking={booking} />
      </span>
      <span>
        <strong>{booking.customer_name}</strong> {vehicleName(booking)}
      </span>
      <NotificationLine booking={booking} />
      {!(isMedium && booking.needs_notification) && (
        <span className="day-booking-service">
          {isMedium && note ? `${booking.service_name}, ${note}` : booking.service_name}
        </span>
      )}
      {!isMedium && note && <span>{note}</span>}
    </>
  )
}

/** Placed above the lines that a short block cuts off, so that the badge stays visible. */
function NotificationLine({ booking }: { booking: DayBooking }) {
  if (!booking.needs_notification) return null
  return (
    <span className="day-booking-notification">
      <NotificationBadge booking={booking} />
    </span>
  )
}
