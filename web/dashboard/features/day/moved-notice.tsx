import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useAppointment } from './use-appointment.ts'

type Props = {
  bookingId: string
  /** The date, yyyy-MM-dd, that the day view shows and that the booking had before its move. */
  date: string
  onShowDate: (date: string) => void
}

/**
 * Shows the new date of a booking that is no longer on the shown date. The booking was moved while its panel was open,
 * or the link to its panel contains the old date. Without this notice, the panel would close without an explanation.
 */
export function MovedNotice({ bookingId, date, onShowDate }: Props) {
  const record = useAppointment(bookingId)
  const { customer_name, appointment_date, appointment_time } = record.data ?? {}
  if (!appointment_date || !appointment_time || appointment_date === date) return null
  return (
    <Notice title={`${customer_name} was moved to another day.`}>
      {formatDayOfYear(appointment_date)}, {formatTime(appointment_time)}.{' '}
      <Button compact onClick={() => onShowDate(appointment_date)}>
        Show that day
      </Button>
    </Notice>
  )
}
