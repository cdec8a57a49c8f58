import { PageHead, PageMain } from '#web/ui/page-main.tsx'

export function BookAppointmentPage() {
  return (
    <PageMain className="wrap page">
      <PageHead title="Book an Appointment" />
    </PageMain>
  )
}
