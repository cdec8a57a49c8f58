import type { Booking } from '#contracts/bookings/bookings.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'

type Props = {
  booking: Booking | undefined
  isBusy: boolean
  onConfirm: (booking: Booking) => void
  onClose: () => void
}

/** Confirms the permanent deletion of a completed booking. */
export function DeleteBookingDialog({ booking, isBusy, onConfirm, onClose }: Props) {
  if (!booking) return null
  return (
    <ConfirmDialog
      open
      title="Delete Appointment"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      busy={isBusy}
      onConfirm={() => onConfirm(booking)}
      onClose={onClose}
    >
      <p>
        The appointment of <b>{booking.customer_name}</b> on{' '}
        {formatLongDate(booking.appointment_date)}, {formatTime(booking.appointment_time)}, will be
        deleted with its notes. This cannot be undone.
      </p>
      {booking.tasks.length > 0 && (
        <p>
          The task created from this appointment is kept, but will no longer show the customer, the
          vehicle and the contact details.
        </p>
      )}
    </ConfirmDialog>
  )
}
