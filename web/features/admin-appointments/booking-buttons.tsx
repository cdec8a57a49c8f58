import type { Booking } from '#contracts/bookings.ts'
import { Icon } from '#web/ui/icon.tsx'
import { isCompleted, isGone } from './booking-words.ts'

export type BookingHandlers = {
  readonly onComplete: (booking: Booking) => void
  readonly onAddToTasks: (booking: Booking) => void
  readonly onUndo: (booking: Booking) => void
  readonly onDelete: (booking: Booking) => void
  /** Lets a held, not confirmed or cancelled one stand, if its time is free. */
  readonly onReopen: (booking: Booking) => void
  readonly busyId: string | undefined
}

type Props = BookingHandlers & {
  booking: Booking
  /** 'Undo' in the calendar, 'Undo Complete' in the list (docs/product.md 2.8). */
  undoLabel: string
}

/** A held appointment is confirmed already: what it lacks is that somebody keeps it. */
function reopenLabel({ status, held_until }: Booking): string {
  if (status === 'cancelled') return 'Reopen'
  return held_until === null ? 'Confirm' : 'Keep'
}

/** What can be done with an appointment in its state. Each button says whose appointment it means. */
export function BookingButtons({ booking, undoLabel, busyId, ...handlers }: Props) {
  const disabled = busyId === booking.id
  const whose = <span className="visually-hidden"> the appointment of {booking.customer_name}</span>
  if (isCompleted(booking)) {
    return (
      <>
        <button
          type="button"
          className="action action-quiet"
          disabled={disabled}
          onClick={() => handlers.onUndo(booking)}
        >
          <Icon name="undo" />
          {undoLabel}
          {whose}
        </button>
        <button
          type="button"
          className="action action-danger"
          disabled={disabled}
          onClick={() => handlers.onDelete(booking)}
        >
          <Icon name="trash" />
          Delete
          {whose}
        </button>
      </>
    )
  }
  const reopen = (
    <button
      type="button"
      className="action"
      disabled={disabled}
      onClick={() => handlers.onReopen(booking)}
    >
      <Icon name={booking.status === 'cancelled' ? 'undo' : 'check'} />
      {reopenLabel(booking)}
      {whose}
    </button>
  )
  if (isGone(booking)) return reopen
  return (
    <>
      <button
        type="button"
        className="action"
        disabled={disabled}
        onClick={() => handlers.onComplete(booking)}
      >
        <Icon name="check" />
        Complete
        {whose}
      </button>
      <button
        type="button"
        className="action"
        disabled={disabled}
        onClick={() => handlers.onAddToTasks(booking)}
      >
        <Icon name="plus" />
        Add to Tasks
        {whose}
      </button>
      {/* Last: what is pressed to complete becomes what undoes it, and keeps the focus. */}
      {booking.held_until !== null && reopen}
    </>
  )
}
