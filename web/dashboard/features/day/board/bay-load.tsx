import type { CSSProperties } from 'react'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { occupiesBay } from '#domain/bookings/occupies-bay.ts'
import { type DayColumn } from './day-layout.ts'

/** Shows how busy a bay is: a bar from opening to closing time, with one mark per booking. */
export function BayLoad({ column, hours }: { column: DayColumn; hours: OpeningHours }) {
  const all = hours.closesAtMinute - hours.opensAtMinute
  return (
    <div className="day-load" aria-hidden="true">
      {column.blocks
        .filter(({ booking }) => occupiesBay(booking.state))
        .map(({ booking, startsAtMinute, endsAtMinute }) => (
          <i
            key={booking.id}
            className={booking.state === 'completed' ? 'day-load-done' : undefined}
            style={
              {
                '--start': `${((startsAtMinute - hours.opensAtMinute) / all) * 100}%`,
                '--length': `${((endsAtMinute - startsAtMinute) / all) * 100}%`,
              } as CSSProperties
            }
          />
        ))}
    </div>
  )
}
