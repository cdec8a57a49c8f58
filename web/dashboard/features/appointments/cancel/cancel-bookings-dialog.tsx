import { useState } from 'react'
import { emailNotSetUp, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { looksAutomated } from '../card/booking-text.ts'
import type { SelectableBooking } from '../bookings-api.ts'
import { isNotifiedByEmail, type BulkCancellation } from './use-cancellation.ts'

type Props = {
  chosen: readonly SelectableBooking[]
  isBusy: boolean
  onConfirm: (request: Pick<BulkCancellation, 'reason' | 'notifies'>) => void
  onClose: () => void
}

/** The maximum number of names that the dialog lists. Of the remaining bookings the dialog shows only the number. */
const shownNames = 5

function callHint(chosen: number, customerCount: number, notifies: boolean): string {
  const noEmail = notifies ? '' : 'No email is sent. '
  if (customerCount === 0) {
    return `${chosen === 1 ? 'It looks' : 'All of them look'} automated. No email is sent.`
  }
  const subject =
    chosen === 1
      ? 'It does'
      : customerCount === 1
        ? '1 of them does'
        : `${customerCount} of them do`
  return `${noEmail}${subject} not look automated: please call first.`
}

/**
 * Confirms the cancellation of several bookings: lists their customers, asks for the reason, and shows which customers
 * get an email and which ones staff must call.
 */
export function CancelBookingsDialog({ chosen, isBusy, onConfirm, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [notifies, setNotifies] = useState(false)
  const canSendEmail = useCanSendEmail()
  const many = chosen.length === 1 ? '1 appointment' : `${chosen.length} appointments`
  const names = chosen.slice(0, shownNames).map(({ customer_name }) => customer_name)
  const others = chosen.length - names.length
  const customerCount = chosen.filter((booking) => !looksAutomated(booking)).length
  const emailCount = chosen.filter(isNotifiedByEmail).length
  return (
    <ConfirmDialog
      open
      title={`Cancel ${many}`}
      confirmLabel={`Cancel ${many}`}
      cancelLabel="Go back"
      busyLabel="Cancelling..."
      busy={isBusy}
      onConfirm={() => onConfirm({ reason: reason.trim(), notifies })}
      onClose={onClose}
    >
      <p>
        {many} will be cancelled and {chosen.length === 1 ? 'its time is' : 'their times are'} free
        again: <b>{names.join(', ')}</b>
        {others > 0 && ` and ${others} more`}.
      </p>
      <p>{callHint(chosen.length, customerCount, notifies)}</p>
      {emailCount > 0 && (
        <label className="checkbox">
          <input
            type="checkbox"
            checked={notifies}
            onChange={({ target }) => setNotifies(target.checked)}
          />
          <span>
            {emailCount === 1 ? 'Email 1 customer' : `Email ${emailCount} customers`}
            {!canSendEmail && <small className="muted notify-outbox">{emailNotSetUp}</small>}
          </span>
        </label>
      )}
      <Input
        label="Reason (optional)"
        hint="Saved in the appointment history, not in the email. Please don’t use names."
        maxLength={300}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}
