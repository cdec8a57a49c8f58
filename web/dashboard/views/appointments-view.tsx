import { useState } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { AppointmentsTab } from '#web/dashboard/features/appointments/appointments-tab.tsx'
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
  const [converting, setConverting] = useState<Booking>()
  return (
    <>
      <AppointmentsTab onAddToTasks={setConverting} DayView={DayView} BookingPanel={BookingPanel} />
      {converting && (
        <ConvertBookingDialog booking={converting} onClose={() => setConverting(undefined)} />
      )}
    </>
  )
}
