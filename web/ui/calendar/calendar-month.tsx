import type { ComponentProps, ReactNode } from 'react'
import { weeksOfMonth } from '#domain/calendar/calendar-month.ts'

const dayHeads = [
  ['Sun', 'Sunday'],
  ['Mon', 'Monday'],
  ['Tue', 'Tuesday'],
  ['Wed', 'Wednesday'],
  ['Thu', 'Thursday'],
  ['Fri', 'Friday'],
  ['Sat', 'Saturday'],
] as const

type CalendarMonthProps = ComponentProps<'table'> & {
  /** The first day of the month. */
  month: string
  today: string
  renderDay: (day: string) => ReactNode
}

/** The table of a month with a cell for each day. */
export function CalendarMonth({ month, today, renderDay, ...rest }: CalendarMonthProps) {
  return (
    <table className="calendar" {...rest}>
      <thead>
        <tr>
          {dayHeads.map(([short, long]) => (
            <th key={short} scope="col" abbr={long}>
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOfMonth(month).map((week, row) => (
          // oxlint-disable-next-line react/no-array-index-key -- a week of a month has no identity except its number
          <tr key={row}>
            {week.map((day, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- a column has no identity except its number
              <td key={column} className={day === today ? 'calendar-today' : undefined}>
                {day && renderDay(day)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
