import { useState } from 'react'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { dayNames, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { timeOf } from '../board/booking-block-text.ts'
import { NotifyCheckbox } from '../move/notify-checkbox.tsx'

type DialogProps = { isBusy: boolean; onClose: () => void }

/** The dialog that asks for a confirmation before a booking is marked as a no-show. */
export function NoShowDialog(props: DialogProps & { open: boolean; onConfirm: () => void }) {
  return (
    <ConfirmDialog
      open={props.open}
      title="Mark as no-show?"
      confirmLabel="No-show"
      busyLabel="Saving…"
      busy={props.isBusy}
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    >
      <p>This counts as a no-show for the customer. You can undo it.</p>
    </ConfirmDialog>
  )
}

/** The reason of a cancellation ('' for none), and whether the customer is notified. */
export type CancelRequest = { readonly reason: string; readonly notifies: boolean }

/**
 * The dialog that confirms the cancellation of a booking. The dialog asks for the reason, and whether the server emails
 * the customer.
 */
export function CancelAppointmentDialog(
  props: DialogProps & { booking: DayBooking; onConfirm: (request: CancelRequest) => void },
) {
  const { booking, isBusy, onConfirm, onClose } = props
  const { customer_name, customer_email, customer_phone, starts_at } = booking
  const [reason, setReason] = useState('')
  const [notifies, setNotifies] = useState(customer_email !== null)
  return (
    <ConfirmDialog
      open
      title="Cancel this appointment?"
      confirmLabel="Cancel appointment"
      cancelLabel="Go back"
      busyLabel="Saving…"
      busy={isBusy}
      onConfirm={() => onConfirm({ reason: reason.trim(), notifies })}
      onClose={onClose}
    >
      <p>
        {customer_name}, {dayNames[weekdayOf(starts_at.slice(0, 10))]}, {timeOf(starts_at)}. The
        time becomes free.
      </p>
      <NotifyCheckbox
        email={customer_email}
        phone={customer_phone}
        isTicked={notifies}
        onTick={setNotifies}
      />
      <Input
        label="Reason (optional)"
        hint="Saved in the appointment history, not in the email. Please don’t use names."
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
