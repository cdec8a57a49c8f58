import { useState } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { canMarkNoShow } from '#domain/bookings/no-show.ts'
import { findOtherBookingsOfVehicle } from '#domain/bookings/same-vehicle.ts'
import { vehicleState } from '#domain/bookings/vehicle-state.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { HighlightsNote } from '#web/dashboard/kit/highlights/highlights-note.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { StateBadge } from '#web/dashboard/kit/bookings/state-badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { AppointmentDetails } from './appointment-details.tsx'
import { AppointmentEmails } from './appointment-emails.tsx'
import { AppointmentHistory } from './appointment-history.tsx'
import { timeOf } from '../board/booking-block-text.ts'
import { CustomerNotification } from './customer-notification.tsx'
import { type CancelRequest, CancelAppointmentDialog, NoShowDialog } from './confirm-dialogs.tsx'
import { openStates } from '../open-states.ts'
import { SameVehicleNotice } from '../same-vehicle-notice.tsx'
import { useAppointment } from '../use-appointment.ts'
import { OtherAppointments } from './other-appointments.tsx'
import { VisitPageLink } from './visit-page-link.tsx'
import { Deposits, RepairRecords } from './repair-records.tsx'
import { InternalNote } from './internal-note.tsx'
import { StepButtons } from './step-buttons.tsx'
import { useStateChange } from './use-state-change.ts'
import './appointment-panel.css'

type Props = {
  booking: DayBooking
  /** The bookings, bays and hours of the booking's date. */
  day: ShopDay
  onClose: () => void
  /** Opens the move panel. */
  onMove: () => void
  /** Opens the edit panel. */
  onEdit: () => void
  onAddToTasks: (booking: Booking) => void
  /** Opens the dialog that confirms the deletion of a completed booking. */
  onDelete: (booking: Booking) => void
}

/** The side panel with all data about one booking. The button for the most likely next step is at the top. */
export function AppointmentPanel(props: Props) {
  const { booking, day, onClose, onMove, onEdit, onAddToTasks, onDelete } = props
  const { now } = day
  const bay = day.bays.find(({ id }) => id === booking.bay_id)
  const [openedDialog, openDialog] = useState<'cancel' | 'no_show'>()
  const steps = useStateChange()
  const isOffline = useOfflineSince() !== undefined
  const record = useAppointment(booking.id)
  const isBusy = steps.isBusy || isOffline
  const changeState = (state: string, cancelling?: CancelRequest) =>
    // If the server did not save the cancellation, the dialog stays open and keeps the typed reason.
    void steps
      .change(booking, state, cancelling)
      .then((wasChanged) => wasChanged && openDialog(undefined))
  return (
    <>
      <SidePanel open onClose={onClose} title={<Title name={booking.customer_name} />}>
        <p className="panel-head">
          <StateBadge booking={booking} /> {timeOf(booking.starts_at)}, {bay?.name ?? 'No bay yet'}
        </p>
        <StepButtons
          booking={booking}
          record={record.data ?? undefined}
          isBusy={isBusy}
          onStep={(state) => changeState(state)}
          onMove={onMove}
          onEdit={onEdit}
          onAddToTasks={onAddToTasks}
        />
        <SameVehicleNotice
          others={findOtherBookingsOfVehicle(day.bookings, booking)}
          bays={day.bays}
        />
        <CustomerNotification
          booking={booking}
          emails={record.data?.emails ?? []}
          isOffline={isOffline}
        />
        <Deposits bookingId={booking.id} />
        <AppointmentDetails booking={booking} bay={bay} />
        <HighlightsNote about={{ bookingId: booking.id }} />
        <InternalNote booking={booking} isOffline={isOffline} />
        <VisitPageLink bookingId={booking.id} isOffline={isOffline} />
        <RepairRecords bookingId={booking.id} />
        <OtherAppointments booking={booking} />
        {record.data && (
          <AppointmentEmails booking={booking} now={now} emails={record.data.emails} />
        )}
        <AppointmentHistory bookingId={booking.id} />
        <LastButtons
          booking={booking}
          now={now}
          isBusy={isBusy}
          onOpenDialog={openDialog}
          onDelete={record.data ? () => record.data && onDelete(record.data) : undefined}
        />
      </SidePanel>
      <NoShowDialog
        open={openedDialog === 'no_show'}
        isBusy={isBusy}
        onConfirm={() => changeState('no_show')}
        onClose={() => openDialog(undefined)}
      />
      {openedDialog === 'cancel' && (
        <CancelAppointmentDialog
          booking={booking}
          isBusy={isBusy}
          onConfirm={(cancelling) => changeState('cancelled', cancelling)}
          onClose={() => openDialog(undefined)}
        />
      )}
    </>
  )
}

/**
 * When the panel opens, the customer's name gets the focus, so that a screen reader reads the booking before the
 * buttons.
 */
function Title({ name }: { name: string }) {
  return (
    <span tabIndex={-1} data-first-focus>
      {name}
    </span>
  )
}

function LastButtons(props: {
  booking: DayBooking
  now: string
  isBusy: boolean
  onOpenDialog: (dialog: 'cancel' | 'no_show') => void
  onDelete: (() => void) | undefined
}) {
  const { booking, now, isBusy, onOpenDialog, onDelete } = props
  const { state } = booking
  if (state === 'completed') {
    return (
      <div className="panel-last">
        <Button compact level="danger" disabled={isBusy || !onDelete} onClick={onDelete}>
          <Icon name="trash" />
          Delete
        </Button>
      </div>
    )
  }
  if (!openStates.has(state)) return null
  const isWaitedFor = ['held', 'expected'].includes(vehicleState(booking.vehicle_facts))
  return (
    <div className="panel-last">
      {isWaitedFor && canMarkNoShow(booking.starts_at, now) && (
        <Button compact level="quiet" disabled={isBusy} onClick={() => onOpenDialog('no_show')}>
          No-show
        </Button>
      )}
      <Button compact level="danger" disabled={isBusy} onClick={() => onOpenDialog('cancel')}>
        Cancel…
      </Button>
    </div>
  )
}
