import type { Booking } from '#contracts/bookings/bookings.ts'
import { useBookingAddress } from '#web/dashboard/kit/bookings/use-booking-address.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { ChosenBookingPanel } from './chosen-booking-panel.tsx'
import { useAppointment } from './use-appointment.ts'
import { useBookingShortcuts } from './use-booking-shortcuts.ts'
import { useDay } from './use-day.ts'

type Props = {
  onAddToTasks: (booking: Booking) => void
  onDelete: (booking: Booking) => void
}

/** The panel of the booking whose id is in the URL, for the calendar and the list. The day view has its own panel. */
export function AddressedBookingPanel({ onAddToTasks, onDelete }: Props) {
  const { chosenId, isMoving, isEditing, choose, openMove, openEdit, closeStep } =
    useBookingAddress()
  const record = useAppointment(chosenId)
  const day = useDay(record.data?.appointment_date)
  const booking = day.data?.bookings.find(({ id }) => id === chosenId)
  const close = () => choose(undefined)
  useBookingShortcuts({
    day: day.data,
    chosenId,
    isBusy: isMoving || isEditing,
    onMove: openMove,
    onEdit: openEdit,
  })
  if (!day.data || !booking) {
    const failed = [record, day].find(({ isError }) => isError)
    return failed && <FailedPanel onRetry={() => void failed.refetch()} onClose={close} />
  }
  return (
    <ChosenBookingPanel
      day={day.data}
      booking={booking}
      isMoving={isMoving}
      isEditing={isEditing}
      onMove={() => openMove(booking.id)}
      onEdit={() => openEdit(booking.id)}
      onBack={closeStep}
      onMoved={close}
      onClose={close}
      onAddToTasks={onAddToTasks}
      onDelete={onDelete}
    />
  )
}

function FailedPanel({ onRetry, onClose }: { onRetry: () => void; onClose: () => void }) {
  return (
    <SidePanel open onClose={onClose} title="Appointment">
      <LoadFailure title="The appointment could not be loaded." onRetry={onRetry}>
        Your appointments are safe. Only loading them failed.
      </LoadFailure>
    </SidePanel>
  )
}
