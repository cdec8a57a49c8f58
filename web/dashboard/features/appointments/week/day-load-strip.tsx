import type { CSSProperties } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { weekdayOf } from '#domain/calendar/calendar-date.ts'
import { minuteOfTime } from '#domain/calendar/clock-time.ts'
import { useShop } from '#web/lib/shop.ts'
import { isCompleted } from '../card/booking-text.ts'

/**
 * The range of the bar, 0:00 to 24:00, for a weekday on which the shop is closed. Such a day may have bookings that
 * customers made before the owner closed that weekday.
 */
const wholeDay = { opensAtMinute: 0, closesAtMinute: 24 * 60 }

/** Shows how busy a day is: a bar from opening to closing time, with one mark per booking. */
export function DayLoadStrip({ date, bookings }: { date: string; bookings: readonly Booking[] }) {
  const { week } = useShop()
  const { opensAtMinute, closesAtMinute } = week[weekdayOf(date)] ?? wholeDay
  const share = (minutes: number) => `${(minutes / (closesAtMinute - opensAtMinute)) * 100}%`
  return (
    <div className="load-strip" aria-hidden="true">
      {bookings.map((booking) => (
        <i
          key={booking.id}
          className={isCompleted(booking) ? 'load-strip-done' : undefined}
          style={
            {
              '--start': share(minuteOfTime(booking.appointment_time) - opensAtMinute),
              '--length': share(booking.duration_minutes),
            } as CSSProperties
          }
        />
      ))}
    </div>
  )
}
