import { TodayView as Today } from '#web/dashboard/features/today/today-view.tsx'
import { BookingPanel } from './booking-panel.tsx'

export function TodayView() {
  return <Today BookingPanel={BookingPanel} />
}
