import type { Booking } from '#contracts/bookings/bookings.ts'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { AppointmentPanel } from './booking-panel/appointment-panel.tsx'
import { EditPanel } from './edit/edit-panel.tsx'
import type { MoveTarget } from './move/move-api.ts'
import { MovePanel } from './move/move-panel.tsx'

/**
 * The initial values of the move panel of a booking. `start` is the slot on which the user dropped the booking, if the
 * drop caused a conflict; otherwise `start` is empty.
 */
export type MoveStart = {
  readonly id: string
  readonly start: Partial<MoveTarget>
  readonly wasTaken: boolean
}

type Props = {
  day: ShopDay
  booking: DayBooking
  isMoving: boolean
  isEditing: boolean
  /** The initial values of the move panel; undefined if the panel starts without a proposed slot. */
  moveStart?: MoveStart | undefined
  onMove: () => void
  onEdit: () => void
  onBack: () => void
  /** Called with the new date of the booking after the booking was moved or edited. */
  onMoved: (date: string) => void
  onClose: () => void
  onAddToTasks: (booking: Booking) => void
  /** Opens the dialog that confirms the deletion of a completed booking. */
  onDelete: (booking: Booking) => void
}

const anyStart: Partial<MoveTarget> = {}

/** The panel with the data of the booking that the user opened, or the panel that moves or edits this booking. */
export function ChosenBookingPanel(props: Props) {
  const { day, booking, moveStart } = props
  if (props.isMoving) {
    return (
      <MovePanel
        key={`${booking.id} ${JSON.stringify(moveStart)}`}
        booking={booking}
        bays={day.bays}
        start={moveStart?.start ?? anyStart}
        wasTaken={moveStart?.wasTaken ?? false}
        onBack={props.onBack}
        onMoved={props.onMoved}
      />
    )
  }
  if (props.isEditing) {
    return (
      <EditPanel
        key={booking.id}
        booking={booking}
        bays={day.bays}
        onBack={props.onBack}
        onSaved={(date) => (date === day.day ? props.onBack() : props.onMoved(date))}
      />
    )
  }
  return (
    <AppointmentPanel
      key={booking.id}
      booking={booking}
      day={day}
      onClose={props.onClose}
      onMove={props.onMove}
      onEdit={props.onEdit}
      onAddToTasks={props.onAddToTasks}
      onDelete={props.onDelete}
    />
  )
}
