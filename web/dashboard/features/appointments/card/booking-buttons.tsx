import { useIsOwner } from '#web/dashboard/kit/staff/staff-role.tsx'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { vehicleState } from '#domain/bookings/vehicle-state.ts'
import { type CalendarButton, vehicleTable } from '#domain/bookings/vehicle-state-table.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'

export type BookingHandlers = {
  readonly onComplete: (booking: Booking) => void
  readonly onAddToTasks: (booking: Booking) => void
  readonly onUndo: (booking: Booking) => void
  readonly onDelete: (booking: Booking) => void
  /**
   * Confirms an unconfirmed booking, or reopens a cancelled booking. The database refuses the change if the slot is no
   * longer free.
   */
  readonly onReopen: (booking: Booking) => void
  readonly busyId: string | undefined
}

type Props = BookingHandlers & {
  booking: Booking
  /**
   * The label of the button that reopens a completed booking: 'Undo' in the calendar, 'Undo Complete' in the list
   * (docs/product.md 2.8).
   */
  undoLabel: string
  isSmall?: boolean
}

type Button = {
  readonly label: string
  readonly icon: IconName
  readonly level?: 'quiet' | 'danger'
  readonly press: (handlers: BookingHandlers, booking: Booking) => void
}

const reopen = (handlers: BookingHandlers, booking: Booking) => handlers.onReopen(booking)

const buttons: Readonly<Record<CalendarButton, Button>> = {
  complete: {
    label: 'Complete',
    icon: 'check',
    press: ({ onComplete }, booking) => onComplete(booking),
  },
  add_to_tasks: {
    label: 'Add to Tasks',
    icon: 'plus',
    press: ({ onAddToTasks }, booking) => onAddToTasks(booking),
  },
  undo: {
    label: 'Undo',
    icon: 'undo',
    level: 'quiet',
    press: ({ onUndo }, booking) => onUndo(booking),
  },
  delete: {
    label: 'Delete',
    icon: 'trash',
    level: 'danger',
    press: ({ onDelete }, booking) => onDelete(booking),
  },
  keep: { label: 'Keep', icon: 'check', press: reopen },
  confirm: { label: 'Confirm', icon: 'check', press: reopen },
  reopen: { label: 'Reopen', icon: 'undo', press: reopen },
  undo_no_show: { label: 'Undo No-show', icon: 'undo', press: reopen },
}

// The buttons' React keys are their positions. When another button takes the position of a pressed button, React reuses
// the element, so the focus stays on the element.
const positions = ['first', 'second', 'third'] as const

/** The actions that the booking's state allows. Each button names the customer for screen readers. */
export function BookingButtons({ booking, undoLabel, isSmall, ...handlers }: Props) {
  const isOwner = useIsOwner()
  const all: readonly CalendarButton[] = vehicleTable[vehicleState(booking.vehicle_facts)].calendar
  return all
    .filter((name) => isOwner || name !== 'delete')
    .map((name, nth) => {
      const { label, icon, level, press } = buttons[name]
      return (
        <Button
          key={positions[nth]}
          compact
          small={isSmall}
          level={level}
          disabled={handlers.busyId === booking.id}
          onClick={() => press(handlers, booking)}
        >
          <Icon name={icon} />
          {name === 'undo' ? undoLabel : label}
          <span className="visually-hidden"> the appointment of {booking.customer_name}</span>
        </Button>
      )
    })
}
