export function AppointmentsTab() {
  return <h2>Appointments</h2>
}
