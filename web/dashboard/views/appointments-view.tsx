import { AppointmentsTab } from '#web/dashboard/features/appointments/appointments-tab.tsx'
import { readAppointment } from '#web/dashboard/features/day/day-api.ts'
import { useRecordPanel } from '#web/dashboard/kit/navigation/use-record-panel.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { BookingPanel } from './booking-panel.tsx'

const DayView = lazyComponent(
  async () => (await import('#web/dashboard/features/day/day-view.tsx')).DayView,
  <Skeleton />,
)
const ConvertBookingDialog = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/tasks/form/convert-booking-dialog.tsx'))
      .ConvertBookingDialog,
  null,
)

/** The appointments with the steps from them to phone booking and to a task. */
export function AppointmentsView() {
  const { record: booking, open, close } = useRecordPanel('convert', 'bookings', readAppointment)
  return (
    <>
      <AppointmentsTab onAddToTasks={open} DayView={DayView} BookingPanel={BookingPanel} />
      {booking && <ConvertBookingDialog key={booking.id} booking={booking} onClose={close} />}
    </>
  )
}
