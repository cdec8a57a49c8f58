import type { ComponentProps } from 'react'
import { AppointmentsTab } from '#web/dashboard/features/appointments/appointments-tab.tsx'
import { readAppointment } from '#web/dashboard/features/day/day-api.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'
import { useRecordPanel } from '#web/dashboard/kit/navigation/use-record-panel.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { BookingPanel } from './booking-panel.tsx'

const DayView = lazyComponent(
  async () => (await import('#web/dashboard/features/day/day-view.tsx')).DayView,
  <Skeleton />,
)
const AddressedBookingPanel = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/day/addressed-booking-panel.tsx')).AddressedBookingPanel,
  null,
)
const ConvertBookingDialog = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/tasks/form/convert-booking-dialog.tsx'))
      .ConvertBookingDialog,
  null,
)

/** Loads the code of the booking panel when the URL names a booking. */
function AppointmentPanel(props: ComponentProps<typeof AddressedBookingPanel>) {
  const { booking } = usePanel().shown
  return booking !== undefined && <AddressedBookingPanel {...props} />
}

/** The appointments view, with the panel for phone bookings and a dialog that creates a task from an appointment. */
export function AppointmentsView() {
  const { record: booking, open, close } = useRecordPanel('convert', 'bookings', readAppointment)
  return (
    <>
      <AppointmentsTab
        onAddToTasks={open}
        DayView={DayView}
        AppointmentPanel={AppointmentPanel}
        BookingPanel={BookingPanel}
      />
      {booking && <ConvertBookingDialog key={booking.id} booking={booking} onClose={close} />}
    </>
  )
}
