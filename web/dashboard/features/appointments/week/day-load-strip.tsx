import type { CSSProperties } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { weekdayOf } from '#domain/calendar/calendar-date.ts'
import { minuteOfTime } from '#domain/calendar/clock-time.ts'
import { useShop } from '#web/lib/shop.ts'
import { isCompleted } from '../card/booking-text.ts'

/** Of a weekday on which the shop is closed: what was booked before stands on it. */
const wholeDay = { opensAtMinute: 0, closesAtMinute: 24 * 60 }

/** The shop day from opening to closing, one mark per appointment: the load of the day without reading. */
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
