import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatNarrowDateTime } from '#domain/calendar/date-time-text.ts'
import type { DayBooking } from '#contracts/bookings/day.ts'
import type { EmailDelivery } from '#contracts/emails/email-delivery.ts'
import { tel } from '#web/lib/browser/tel.ts'
import {
  messageInOutbox,
  emailNotSetUp,
  useCanSendEmail,
} from '#web/dashboard/kit/records/use-onboarding.ts'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { NotificationBadge } from '#web/ui/badge/notification-badge.tsx'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'
import { isNotificationUnderWay } from './missing-email.ts'
import { useNotifyCustomer } from './use-notify-customer.ts'
import { dismissNotification } from '../day-api.ts'

type Props = {
  booking: DayBooking
  emails: readonly EmailDelivery[]
  isOffline: boolean
}

/**
 * The notice that the appointment has changed since the last notification of the customer. Staff send a new
 * notification or dismiss the notice (docs/product.md 12.8).
 */
export function CustomerNotification({ booking, emails, isOffline }: Props) {
  const [isDismissing, setIsDismissing] = useState(false)
  const canSendEmail = useCanSendEmail()
  const isOutboxOnly = !canSendEmail && booking.customer_email !== null
  if (!booking.needs_notification) return null
  const [date = '', time = ''] = booking.notified_starts_at.split('T')
  return (
    <section className="panel-notification" aria-label="Customer notification">
      <NotificationBadge booking={booking} />
      <p>
        {booking.notified_cancelled
          ? 'The customer was last notified that the appointment is cancelled.'
          : `The last notification names ${formatNarrowDateTime(date, time)}.`}
      </p>
      {isOutboxOnly && !isNotificationUnderWay(emails) && <p className="muted">{emailNotSetUp}</p>}
      <div className="button-group">
        {(booking.customer_email === null || isOutboxOnly) && (
          <a
            className={buttonClass('secondary', { compact: true })}
            href={tel(booking.customer_phone)}
          >
            Call
          </a>
        )}
        {booking.customer_email !== null && (
          <NotifyButton booking={booking} emails={emails} isOffline={isOffline} />
        )}
        <Button compact level="quiet" disabled={isOffline} onClick={() => setIsDismissing(true)}>
          Dismiss…
        </Button>
      </div>
      {isDismissing && <DismissDialog booking={booking} onClose={() => setIsDismissing(false)} />}
    </section>
  )
}

function NotifyButton({ booking, emails, isOffline }: Props) {
  const notification = useNotifyCustomer(booking.id)
  const canSendEmail = useCanSendEmail()
  if (isNotificationUnderWay(emails)) {
    const text = canSendEmail ? 'The email is on its way.' : messageInOutbox
    return <span className="muted">{text}</span>
  }
  return (
    <Button
      compact
      busy={notification.isBusy && 'Sending…'}
      disabled={isOffline}
      onClick={() => notification.notify(aboutOf(booking))}
    >
      Notify by email
    </Button>
  )
}

function aboutOf({ state, notified_cancelled }: DayBooking) {
  if (state === 'cancelled') return 'cancelled'
  return notified_cancelled ? 'booked' : 'moved'
}

/**
 * The dialog that asks for the reason why the customer needs no email, usually that an employee has called the
 * customer.
 */
function DismissDialog({ booking, onClose }: { booking: DayBooking; onClose: () => void }) {
  const formId = useId()
  const [reason, setReason] = useState('')
  const dismissal = useDismissNotification(booking, onClose)
  return (
    <Dialog
      open
      size="small"
      title="Dismiss this notification?"
      busy={dismissal.isBusy}
      onClose={onClose}
      footer={
        <FormActions
          label="Dismiss"
          busyLabel="Saving…"
          isBusy={dismissal.isBusy}
          disabled={reason.trim() === ''}
          onCancel={onClose}
          form={formId}
        />
      }
    >
      <p>
        The badge “Customer not notified” appears again when the date or time changes again, or when
        the appointment is cancelled.
      </p>
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          dismissal.dismiss(reason.trim())
        }}
      >
        <Input
          label="Reason"
          hint="Saved in the appointment history. Please don’t use names."
          required
          maxLength={300}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </form>
    </Dialog>
  )
}

/** Dismisses the 'Customer not notified' badge and records the reason in the history. */
function useDismissNotification(booking: DayBooking, onDone: () => void) {
  const queries = useQueryClient()
  const dismissing = useMutation({
    mutationFn: (reason: string) => dismissNotification(booking, reason),
    onSuccess: onDone,
    onError: (error) =>
      toast(bookingErrorToast(error, 'Could not dismiss “Customer not notified”')),
    onSettled: () => refetchQueries(queries, 'bookings'),
  })
  return { dismiss: dismissing.mutate, isBusy: dismissing.isPending }
}
