import { BookingWizard } from '#web/features/booking/booking-wizard.tsx'

export function BookAppointmentPage() {
  return <BookingWizard />
}
