import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TodayPage } from '#contracts/today.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { dayLink } from '#web/dashboard/kit/navigation/links.ts'
import { formatDayHours, formatFreeTime } from './day-text.ts'

/** The date, today's opening hours, and the free time of the bays. */
export function TodayHead({ day, bookButton }: { day: TodayPage; bookButton: ReactNode }) {
  const [weekday = '', date = ''] = formatDayOfYear(day.day).split(', ')
  const freeTime = formatFreeTime(day)
  return (
    <div className="today-head">
      <div>
        <h2>
          {weekday.slice(0, 3)}
          <span className="today-wide">{weekday.slice(3)}</span>, {date}
        </h2>
        <p>
          {formatDayHours(day)} {freeTime && <Link {...dayLink(day.day)}>{freeTime}</Link>}
        </p>
      </div>
      {bookButton}
    </div>
  )
}
