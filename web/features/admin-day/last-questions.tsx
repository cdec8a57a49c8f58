import { useState } from 'react'
import type { DayBooking } from '#contracts/day.ts'
import { dayNames, weekdayOf } from '#domain/calendar-date.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/field.tsx'
import { timeOf } from './car-words.ts'

type Asked = { isBusy: boolean; onClose: () => void }

/** Asks before somebody is said to have missed a visit. */
export function NoShowDialog(props: Asked & { open: boolean; onConfirm: () => void }) {
  return (
    <ConfirmDialog
      open={props.open}
      title="Mark as no-show?"
      confirmLabel="No-show"
      cancelLabel="Keep"
      busyLabel="Saving…"
      busy={props.isBusy}
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    >
      <p>It counts for this customer. Undo any time.</p>
    </ConfirmDialog>
  )
}

/** Asks before a visit is cancelled, and why. */
export function CancelVisitDialog(
  props: Asked & { booking: DayBooking | undefined; onConfirm: (reason: string) => void },
) {
  const { booking, isBusy, onConfirm, onClose } = props
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      open={booking !== undefined}
      title="Cancel this visit?"
      confirmLabel="Cancel the visit"
      cancelLabel="Keep"
      busyLabel="Saving…"
      busy={isBusy}
      onConfirm={() => onConfirm(reason.trim())}
      onClose={onClose}
    >
      {booking && (
        <p>
          {booking.customer_name}, {dayNames[weekdayOf(booking.starts_at.slice(0, 10))]},{' '}
          {timeOf(booking.starts_at)}. The time becomes free.
        </p>
      )}
      <p>No e-mail is sent: please call first.</p>
      <Input
        label="Reason (optional)"
        hint="Stays in the story of the appointment: no names."
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
