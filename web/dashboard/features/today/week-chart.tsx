import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import type { TodayPage } from '#contracts/today.ts'
import { partsOfDate, shortDayName } from '#domain/calendar/calendar-date.ts'
import { dailyCapacity } from '#domain/today/daily-capacity.ts'
import { dayLink } from '#web/dashboard/kit/navigation/links.ts'
import { TodayCard } from './today-card.tsx'

type Load = TodayPage['week'][number]

/**
 * A chart of the bookings per day and the capacity of the bays, Monday to Sunday. Screen readers read the chart as a
 * table.
 */
export function WeekChart({ week, today }: { week: readonly Load[]; today: string }) {
  const maximum = Math.max(
    1,
    ...week.map((load) => Math.max(load.booking_count, dailyCapacity(load.open_minutes))),
  )
  return (
    <TodayCard title="Appointments this week" aside={<Legend />}>
      <table className="today-chart">
        <caption className="visually-hidden">
          Appointments per day this week, and how many are possible
        </caption>
        <thead className="visually-hidden">
          <tr>
            <th>Day</th>
            <th>Booked and possible appointments</th>
          </tr>
        </thead>
        <tbody>
          {week.map((load) => (
            <Day key={load.day} load={load} maximum={maximum} isToday={load.day === today} />
          ))}
        </tbody>
      </table>
    </TodayCard>
  )
}

function Legend() {
  return (
    <p className="today-legend" aria-hidden="true">
      <span className="today-key-done">done</span>
      <span className="today-key-booked">booked</span>
      <span className="today-key-capacity">possible</span>
    </p>
  )
}

function Day({ load, maximum, isToday }: { load: Load; maximum: number; isToday: boolean }) {
  const { day, booking_count: bookingCount, done } = load
  const capacity = dailyCapacity(load.open_minutes)
  const isClosed = load.open_minutes === 0
  return (
    <tr className={isToday ? 'today-chart-now' : undefined}>
      <th scope="row">
        <Link className="touch-link" {...dayLink(day)} aria-current={isToday ? 'date' : undefined}>
          {shortDayName(day)} <b>{partsOfDate(day).day}</b>
        </Link>
      </th>
      <td>
        <div className="today-column" aria-hidden="true">
          {!isClosed && <u style={height(capacity, maximum)} />}
          <i style={height(bookingCount, maximum)} />
          <s style={height(done, maximum)} />
        </div>
        <span>
          {(bookingCount > 0 || !isClosed) && <b>{bookingCount}</b>}{' '}
          <i>{isClosed ? 'closed' : `of ${capacity}`}</i>
        </span>
        <span className="visually-hidden">, {done} done</span>
      </td>
    </tr>
  )
}

function height(count: number, maximum: number): CSSProperties {
  return { '--part': `${(count / maximum) * 100}%` } as CSSProperties
}
