import type { Booking } from '#contracts/bookings.ts'
import { Dialog } from '#web/ui/dialog.tsx'

export function ConvertBookingDialog(props: { booking: Booking; onClose: () => void }) {
  return (
    <Dialog open title="Convert Appointment to Task" onClose={props.onClose}>
      {props.booking.customer_name}
    </Dialog>
  )
}
