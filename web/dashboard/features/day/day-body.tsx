import type { ShopDay } from '#contracts/bookings/day.ts'
import { useMediaQuery } from '#web/lib/browser/use-media-query.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { NotificationBadge } from '#web/ui/badge/notification-badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { BayGrid } from './board/bay-grid.tsx'
import { formatBooking } from './board/booking-block-text.ts'
import { DayShortcuts } from './day-shortcuts.tsx'
import { DayList } from './board/day-list.tsx'
import type { UnsavedPlace } from './board/unsaved-place.ts'
import type { DayBlock, SelectionState, DayLayout } from './board/day-layout.ts'
import type { Drag } from './drag/use-drag.ts'

/** The media query for windows in which the bays fit side by side. Narrower windows show the day as a list. */
const hasRoomForBays = '(min-width: 48rem)'

/** The bookings of a day: a grid of bays in a wide window, otherwise a list. */
export function DayBody(props: {
  day: ShopDay
  plan: DayLayout
  selection: SelectionState
  dragHandlers: Drag
  unsavedPlace: UnsavedPlace | undefined
}) {
  const { day, plan, selection, dragHandlers, unsavedPlace } = props
  const showsBays = useMediaQuery(hasRoomForBays)
  if (!plan.hours) {
    return (
      <>
        <ClosedAllDay day={day} />
        <InactiveBookings blocks={plan.inactive} selection={selection} />
      </>
    )
  }
  return (
    <>
      {showsBays ? (
        <BayGrid
          key={day.day}
          plan={plan}
          hours={plan.hours}
          selection={selection}
          dragHandlers={dragHandlers}
          unsavedPlace={unsavedPlace}
        />
      ) : (
        <DayList plan={plan} hours={plan.hours} selection={selection} />
      )}
      {plan.blocks.length === 0 && (
        <p className="day-empty-line">No appointments. Click a time or press N to book.</p>
      )}
      <InactiveBookings blocks={plan.inactive} selection={selection} />
      {showsBays && <DayShortcuts />}
    </>
  )
}

/**
 * Cancelled and unconfirmed bookings, which need no work. The section is collapsed at first; staff open it when the
 * customer of such a booking calls.
 */
function InactiveBookings({
  blocks,
  selection,
}: {
  blocks: readonly DayBlock[]
  selection: SelectionState
}) {
  if (blocks.length === 0) return null
  const toNotify = blocks.filter(({ booking }) => booking.needs_notification).length
  return (
    <details className="day-inactive">
      <summary>
        Cancelled or not confirmed ({blocks.length}){' '}
        {toNotify > 0 && <Badge tone="danger">{toNotify} to notify</Badge>}
      </summary>
      <ul>
        {blocks.map(({ booking }) => (
          <li key={booking.id}>
            <Button
              compact
              level="quiet"
              aria-expanded={selection.chosenId === booking.id}
              onClick={() => selection.onChoose(booking.id)}
            >
              {formatBooking(booking)} <NotificationBadge booking={booking} />
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function ClosedAllDay({ day }: { day: ShopDay }) {
  const reason = day.closures.find((closure) => !closure.is_open && !closure.bay_id)?.reason
  return (
    <p className="day-closed-all">
      <span>
        <Icon name="lock" />
        {reason ? `Closed all day: ${reason}` : 'Closed all day'}
      </span>
    </p>
  )
}
