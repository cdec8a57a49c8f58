import { notificationText } from '#domain/customers/customer-notification.ts'
import { minutesOf } from '#domain/calendar/day-spans.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { NotificationBadge } from '#web/ui/badge/notification-badge.tsx'
import { StateBadge, stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'
import { appearanceOf, formatNote, timeOf, formatBookingTimes } from './booking-block-text.ts'
import type { DayBlock, SelectionState } from './day-layout.ts'

/** The longest duration, in minutes, of a booking whose block has room for only two lines. */
const shortMinutes = 30
/** The block of a booking with at most this duration, in minutes, shows the note on the same line as the service. */
const mediumMinutes = 45

/**
 * A booking in the day grid. The narrow 'No bay' column shows only the time, the customer's name and whether the
 * customer still has to be notified.
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
        <NarrowText block={block} hasSpace={minutes > mediumMinutes} />
      ) : isShort ? (
        <ShortText block={block} />
      ) : (
        <FullText block={block} isMedium={size !== ''} />
      )}
    </button>
  )
}

function NarrowText({ block, hasSpace }: { block: DayBlock; hasSpace: boolean }) {
  const { booking, isBookedTwice } = block
  return (
    <>
      <span className="day-booking-head">
        <b>{timeOf(booking.starts_at)}</b>
        {hasBadge(block) && <Icon name="alert" />}
      </span>
      <span className="day-booking-name">
        <strong>{booking.customer_name}</strong>
        <span className="visually-hidden">, {stateLabel(booking).label}</span>
      </span>
      {hasSpace ? (
        <BadgeLine block={block} />
      ) : (
        <span className="visually-hidden">
          {isBookedTwice && ', Booked twice'}
          {booking.needs_notification && `, ${notificationText(booking)}`}
        </span>
      )}
    </>
  )
}

function ShortText({ block }: { block: DayBlock }) {
  const { booking } = block
  return (
    <>
      <span className="day-booking-head">
        <b>{timeOf(booking.starts_at)}</b>
        <strong>{booking.customer_name}</strong>
        <StateBadge booking={booking} />
      </span>
      {hasBadge(block) ? (
        <BadgeLine block={block} />
      ) : (
        <span className="day-booking-service">
          {[vehicleName(booking), booking.service_name].filter(Boolean).join(', ')}
        </span>
      )}
    </>
  )
}

function FullText({ block, isMedium }: { block: DayBlock; isMedium: boolean }) {
  const { booking } = block
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
      <BadgeLine block={block} />
      {!(isMedium && hasBadge(block)) && (
        <span className="day-booking-service">
          {isMedium && note ? `${booking.service_name}, ${note}` : booking.service_name}
        </span>
      )}
      {!isMedium && note && <span>{note}</span>}
    </>
  )
}

const hasBadge = ({ booking, isBookedTwice }: DayBlock) =>
  booking.needs_notification || isBookedTwice

/** A short block cuts off its last lines. The badges come before those lines, so that the badges stay visible. */
export function BadgeLine({ block }: { block: DayBlock }) {
  if (!hasBadge(block)) return null
  return (
    <span className="day-booking-notification">
      {block.isBookedTwice && <Badge tone="warn">Booked twice</Badge>}{' '}
      <NotificationBadge booking={block.booking} />
    </span>
  )
}
