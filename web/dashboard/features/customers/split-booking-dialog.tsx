import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CustomerRecord, BookingSummary } from '#contracts/customers.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import { customerLink } from '#web/dashboard/kit/navigation/links.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { splitBooking } from '#web/dashboard/kit/customers/customers-api.ts'
import { undoSplit } from '#web/dashboard/kit/customers/undo-split.ts'
import { reportFailedUndo } from '#web/dashboard/kit/customers/report-failed-undo.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'

/**
 * The dialog that moves an appointment to a new customer record, if the appointment belongs to another person than the
 * current customer.
 */
export function SplitBookingDialog({
  customer,
  onClose,
}: {
  customer: CustomerRecord
  onClose: () => void
}) {
  const [booking, setBooking] = useState<BookingSummary>()
  const isOffline = useOfflineSince() !== undefined
  const navigate = useNavigate()
  const undoing = useCustomerChange(async (madeId: string) => {
    await undoSplit(customer.id, madeId)
    await navigate(customerLink(customer.id))
  })
  const splitting = useCustomerChange(async ({ id, startsAt }: BookingSummary) => {
    const madeId = await splitBooking(id)
    // Closes the dialog before the toast appears, because staff cannot press the toast's Undo button behind an open
    // dialog.
    onClose()
    void navigate(customerLink(madeId))
    toast({
      title: 'Moved.',
      description: `The appointment of ${formatMediumDate(startsAt.slice(0, 10))} belongs to a new customer now.`,
      action: { label: 'Undo', run: () => void reportFailedUndo(undoing.run(madeId)) },
    })
  })
  return (
    <Dialog
      open
      size="small"
      title="Which appointment belongs to someone else?"
      busy={splitting.isBusy}
      onClose={onClose}
      footer={
        <FormActions
          label="Move to a new customer"
          busyLabel="Moving…"
          tone="strong"
          isBusy={splitting.isBusy}
          disabled={!booking || isOffline}
          onCancel={onClose}
          onSubmit={() => booking && void splitting.run(booking)}
        />
      }
    >
      <fieldset className="booking-choices">
        <legend className="visually-hidden">Appointments of {customer.name}</legend>
        {customer.bookings.map((each, index) => (
          <label key={each.id}>
            <input
              type="radio"
              name="visit"
              data-first-focus={index === 0 || undefined}
              checked={each.id === booking?.id}
              onChange={() => setBooking(each)}
            />
            <span>
              <b>
                {formatMediumDate(each.startsAt.slice(0, 10))},{' '}
                {formatTime(each.startsAt.slice(11, 16))}
              </b>{' '}
              <small>{[each.service, each.vehicle].filter(Boolean).join(', ')}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="note">
        The appointment moves to a new customer with the name and contact details of the booking,
        together with its vehicle, estimate, tasks, invoice and odometer reading. Everything else
        stays with {customer.name}. To go back, select Undo or merge the two customers.
      </p>
      {splitting.failure && (
        <Notice tone="bad" title="Could not move the appointment.">
          {splitting.failure}
        </Notice>
      )}
    </Dialog>
  )
}
