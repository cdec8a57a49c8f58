import { useQuery } from '@tanstack/react-query'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { dayTitle } from './board/booking-block-text.ts'
import { readAppointment } from './day-api.ts'

type Props = {
  bookingId: string
  /** yyyy-MM-dd: the day that does not have it. */
  date: string
  onShowDate: (date: string) => void
}

/** Where an appointment is by now that was open, or linked to, on this day: its panel would only vanish. */
export function MovedNotice({ bookingId, date, onShowDate }: Props) {
  const record = useQuery({
    queryKey: ['bookings', 'one', bookingId],
    queryFn: () => readAppointment(bookingId).then((read) => read ?? null),
  })
  const { customer_name, appointment_date, appointment_time } = record.data ?? {}
  if (!appointment_date || !appointment_time || appointment_date === date) return null
  return (
    <Notice title={`${customer_name} was moved to another day.`}>
      {dayTitle(appointment_date)}, {formatTime(appointment_time)}.{' '}
      <button type="button" className="action" onClick={() => onShowDate(appointment_date)}>
        Show that day
      </button>
    </Notice>
  )
}
