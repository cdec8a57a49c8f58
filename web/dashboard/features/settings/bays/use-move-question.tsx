import { type ReactNode, useState } from 'react'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { formatBookedCount } from '../kit/conflicts/schedule-conflict-dialog.tsx'
import type { ReassignedBooking } from './bays-api.ts'

type PendingDecision = {
  readonly moved: readonly ReassignedBooking[]
  readonly decide: (goesOn: boolean) => void
}

/**
 * The dialog that asks the user before a bay becomes inactive. The dialog lists the bay's appointments with their new
 * bays.
 */
export function useMoveQuestion() {
  const [pending, setPending] = useState<PendingDecision>()
  const decide = (goesOn: boolean) => {
    pending?.decide(goesOn)
    setPending(undefined)
  }
  return {
    /** Opens the dialog. Resolves to whether the user agrees to deactivate the bay. */
    confirm: (moved: readonly ReassignedBooking[]) =>
      new Promise<boolean>((resolve) => setPending({ moved, decide: resolve })),
    question: (pending && <MoveQuestion moved={pending.moved} onDecide={decide} />) as ReactNode,
  }
}

function MoveQuestion(props: {
  moved: readonly ReassignedBooking[]
  onDecide: (goesOn: boolean) => void
}) {
  const { moved, onDecide } = props
  return (
    <Dialog
      open
      size="small"
      title={`${formatBookedCount(moved.length)} in this bay`}
      onClose={() => onDecide(false)}
      footer={
        <>
          <Button level="quiet" data-first-focus onClick={() => onDecide(false)}>
            Cancel
          </Button>
          <Button level="primary" onClick={() => onDecide(true)}>
            Deactivate
          </Button>
        </>
      }
    >
      <p>The appointments keep their times. New bays:</p>
      <ul className="booked-vehicles">
        {moved.map((booking) => (
          <li key={booking.booking_id}>
            <b>{booking.customer_name}</b>, {formatDayOfYear(booking.appointment_date)},{' '}
            {formatTime(booking.appointment_time)}, {booking.service_name}:{' '}
            {booking.new_bay_name ? `to ${booking.new_bay_name}` : <strong>no bay</strong>}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
