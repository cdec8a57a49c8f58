import type { CSSProperties } from 'react'
import type { Booking } from '#contracts/bookings.ts'
import { weekdayOf } from '#domain/calendar-date.ts'
import { minuteOfTime } from '#domain/clock-time.ts'
import { openingHours } from '#domain/opening-hours.ts'
import { isCompleted } from './booking-words.ts'

/** The shop day from opening to closing, one mark per appointment: the load of the day without reading. */
export function TimingStrip({ date, bookings }: { date: string; bookings: readonly Booking[] }) {
  const { opensAtMinute, closesAtMinute } = openingHours[weekdayOf(date)]
  const share = (minutes: number) => `${(minutes / (closesAtMinute - opensAtMinute)) * 100}%`
  return (
    <div className="timing-strip" aria-hidden="true">
      {bookings.map((booking) => (
        <i
          key={booking.id}
          className={isCompleted(booking) ? 'timing-strip-done' : undefined}
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
