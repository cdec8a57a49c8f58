import type { CSSProperties } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import {
  addDays,
  formatLongDate,
  partsOfDate,
  shortDayName,
} from '#domain/calendar/calendar-date.ts'
import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import type { SpecialHours } from '../bookings-api.ts'
import type { BookingHandlers } from '../card/booking-buttons.tsx'
import { BookingCard } from '../card/booking-card.tsx'
import { isInactive, isActive } from '../card/booking-text.ts'
import { closedDayText } from './closed-day.ts'
import { DayLoadStrip } from './day-load-strip.tsx'
import './week-calendar.css'

type WeekProps = {
  monday: string
  today: string
  /** The day that the calendar shows on a phone, and on a printed page. */
  shownDay: string
  bookings: readonly Booking[]
  specialHours: readonly SpecialHours[]
  onShowDay: (date: string) => void
  handlers: BookingHandlers
}

/** The week from Monday to Sunday. A phone shows a button for each day and only the selected day. */
export function WeekCalendar({
  monday,
  bookings,
  specialHours,
  shownDay,
  onShowDay,
  today,
  handlers,
}: WeekProps) {
  const { week } = useShop()
  const days = Array.from({ length: 7 }, (_, index) => addDays(monday, index))
  const of = (date: string) => bookings.filter((booking) => booking.appointment_date === date)
  return (
    <>
      <div className="day-picker" role="group" aria-label="Day">
        {days.map((date) => (
          <DayButton
            key={date}
            date={date}
            count={of(date).filter(isActive).length}
            isShown={date === shownDay}
            onShow={onShowDay}
          />
        ))}
      </div>
      <div className="week">
        {days.map((date) => (
          <DayColumn
            key={date}
            date={date}
            isToday={date === today}
            isShown={date === shownDay}
            bookings={of(date)}
            closed={closedDayText(date, week, specialHours)}
            handlers={handlers}
          />
        ))}
      </div>
    </>
  )
}

function DayButton(props: {
  date: string
  count: number
  isShown: boolean
  onShow: (date: string) => void
}) {
  const { date, count, isShown, onShow } = props
  return (
    <button
      type="button"
      aria-pressed={isShown}
      aria-label={`${formatLongDate(date)}, ${count} ${count === 1 ? 'appointment' : 'appointments'}`}
      onClick={() => onShow(date)}
    >
      {shortDayName(date)}
      <b>{partsOfDate(date).day}</b>
      <i style={{ '--count': Math.min(count, 7) } as CSSProperties} />
    </button>
  )
}

function DayColumn(props: {
  date: string
  isToday: boolean
  isShown: boolean
  bookings: readonly Booking[]
  /** The text in the column of a day on which the shop is closed, such as 'Closed'; undefined on an open day. */
  closed: string | undefined
  handlers: BookingHandlers
}) {
  const { date, isToday, isShown, bookings, closed, handlers } = props
  const inactive = bookings.filter(isInactive)
  const shown = bookings.filter((booking) => !isInactive(booking))
  const cards = (some: readonly Booking[]) => (
    <ul>
      {some.map((booking) => (
        <BookingCard key={booking.id} booking={booking} handlers={handlers} />
      ))}
    </ul>
  )
  const classes = ['day-column', isToday && 'day-today', isShown && 'day-shown']
    .filter(Boolean)
    .join(' ')
  return (
    <section className={classes} aria-label={formatLongDate(date)}>
      <header>
        <h3>
          {shortDayName(date)} <b>{partsOfDate(date).day}</b>
          <span>{isToday && 'Today'}</span>
        </h3>
        <DayLoadStrip date={date} bookings={bookings.filter(isActive)} />
      </header>
      {closed !== undefined && (
        <p className="closed-day">
          <Icon name="lock" />
          {closed}
        </p>
      )}
      {shown.length === 0 ? <p className="day-empty">No appointments</p> : cards(shown)}
      {inactive.length > 0 && (
        <details className="inactive-bookings">
          <summary>Cancelled or not confirmed ({inactive.length})</summary>
          {cards(inactive)}
        </details>
      )}
    </section>
  )
}
