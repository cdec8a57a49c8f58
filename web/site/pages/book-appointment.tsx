import { BookingWizard } from '#web/site/features/booking/booking-wizard.tsx'

export function BookAppointmentPage() {
  return <BookingWizard />
}
