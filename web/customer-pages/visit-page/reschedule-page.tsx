import type { ReschedulePage } from '#contracts/api/customer-pages.ts'
import { rescheduleRange } from '#domain/bookings/reschedule-query.ts'
import {
  addMonths,
  firstOfMonth,
  formatDayOfYear,
  formatLongDate,
  formatMonth,
} from '#domain/calendar/calendar-date.ts'
import { clampDay } from '#domain/calendar/calendar-month.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import {
  formatDateTime,
  formatNarrowDateTime,
  formatShortDateTime,
} from '#domain/calendar/date-time-text.ts'
import { closedReason } from '#domain/calendar/closed-reason.ts'
import { formatSpecialPeriod, groupSpecialHours } from '#domain/calendar/special-hours.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { useShop } from '#web/lib/shop.ts'
import { CalendarMonth } from '#web/ui/calendar/calendar-month.tsx'
import { PartsOfDay } from '#web/ui/calendar/parts-of-day.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'
import type { PageContent } from '../page-content.ts'
import { ActionButton, NoticeBox, PageHeading, postTo, resultAttributes } from '../page-parts.tsx'
import { rescheduleNotice } from './notices.ts'
import { formatService } from './visit-page-text.ts'

/** Lets the customer choose a day and a time with HTML forms. With JavaScript, a choice does not load a new page. */
export function reschedulePage(shop: ShopFacts, page: ReschedulePage): PageContent {
  const { booking, path } = page
  const heading = 'Pick a new time'
  const notice = rescheduleNotice(page, shop)
  const result = notice === undefined ? resultOf(page) : 'notice'
  const main = (
    <main id="main" tabIndex={-1} className="page-width visit-change">
      <a className="visit-back" href={path}>
        <Icon name="arrow-left" />
        Your appointment
      </a>
      <PageHeading isResult={result === 'heading'}>{heading}</PageHeading>
      <NoticeBox>{notice}</NoticeBox>
      <p className="chosen-service">
        <span>
          Now: <b>{formatDateTime(booking.date, booking.time)}</b>
        </span>
        <span>{formatService(booking)}</span>
      </p>
      <div className="date-and-time">
        <DayPanel page={page} />
        <TimePanel page={page} isResult={result === 'times'} />
      </div>
      <Decision page={page} isResult={result === 'decision'} />
    </main>
  )
  return { title: notice ?? heading, main }
}

/**
 * Returns the part of the page that gets the focus after the customer's choice, unless the page has a notice: the
 * button for the chosen time, the times of the chosen day, or otherwise the heading.
 */
function resultOf({ chosen, times }: ReschedulePage): 'decision' | 'times' | 'heading' {
  if (isFree(chosen.time, times)) return 'decision'
  return chosen.isDayPicked ? 'times' : 'heading'
}

const isFree = (time: string | undefined, times: readonly string[]) =>
  times.some((free) => free.slice(0, 5) === time)

/** The start times that the page offers, as the value of a hidden form field: '11:00 11:30'. */
const shownOf = (times: readonly string[]) => times.map((time) => time.slice(0, 5)).join(' ')

function DayPanel({ page }: { page: ReschedulePage }) {
  return (
    <form className="card panel" method="get" action={postTo(`${page.path}/change`)} data-swap>
      <h2>Day</h2>
      <MonthHead page={page} />
      <CalendarMonth
        aria-labelledby="calendar-month"
        month={page.chosen.month}
        today={page.booking.now.slice(0, 10)}
        renderDay={(day) => <DayButton page={page} day={day} />}
      />
      <ClosedDays page={page} />
    </form>
  )
}

/** Lists the shop's closures within the days that the customer can choose. */
function ClosedDays({ page: { booking } }: { page: ReschedulePage }) {
  const shop = useShop()
  const { first, last } = rescheduleRange(shop, booking)
  const days = shop.specialDays.filter(
    ({ date, hours }) => hours.length === 0 && date >= first && date <= last,
  )
  return groupSpecialHours(days).map((period) => (
    <p key={period.first} className="hint closed-days">
      {formatSpecialPeriod(period)}
    </p>
  ))
}

function MonthHead({ page: { booking, chosen } }: { page: ReschedulePage }) {
  const range = rescheduleRange(useShop(), booking)
  const { month } = chosen
  return (
    <div className="calendar-head">
      <MonthButton
        label="Previous month"
        icon="chevron-left"
        day={clampDay(addMonths(month, -1), range)}
        month={month}
      />
      <b id="calendar-month">{formatMonth(month)}</b>
      <MonthButton
        label="Next month"
        icon="chevron-right"
        day={clampDay(addMonths(month, 1), range)}
        month={month}
      />
    </div>
  )
}

function MonthButton(props: {
  label: string
  icon: 'chevron-left' | 'chevron-right'
  day: string
  month: string
}) {
  return (
    <button
      className="icon-button"
      type="submit"
      name="month"
      value={props.day}
      aria-label={props.label}
      disabled={firstOfMonth(props.day) === props.month}
    >
      <Icon name={props.icon} />
    </button>
  )
}

function DayButton({ page: { booking, chosen }, day }: { page: ReschedulePage; day: string }) {
  const shop = useShop()
  const range = rescheduleRange(shop, booking)
  const isIn = day >= range.first && day <= range.last
  const closed = isIn ? closedReason(day, shop) : 'not available'
  const labels = [formatLongDate(day), closed, day === booking.date && 'your appointment now']
  return (
    <button
      type="submit"
      name="date"
      value={day}
      aria-label={labels.filter(Boolean).join(', ')}
      disabled={closed !== undefined}
      aria-pressed={(closed === undefined && day === chosen.date) || undefined}
    >
      {Number(day.slice(8))}
    </button>
  )
}

function TimePanel({ page, isResult }: { page: ReschedulePage; isResult: boolean }) {
  const { path, chosen, times } = page
  return (
    <form
      className="card panel available-times"
      method="get"
      action={postTo(`${path}/change`)}
      data-swap
    >
      <h2 {...(isResult && resultAttributes)}>Time on {formatDayOfYear(chosen.date)}</h2>
      <input type="hidden" name="date" value={chosen.date} />
      <input type="hidden" name="shown" value={shownOf(times)} />
      {times.length === 0 && (
        <>
          <p className="no-times">No available slots on {formatLongDate(chosen.date)}</p>
          <p className="muted">Try selecting a different date</p>
        </>
      )}
      <PartsOfDay
        times={times}
        renderTime={(time) => <Slot key={time} page={page} time={time} />}
      />
    </form>
  )
}

function Slot({ page: { booking, chosen }, time }: { page: ReschedulePage; time: string }) {
  const value = time.slice(0, 5)
  if (chosen.date === booking.date && time === booking.time) {
    return (
      <p className="time-slot visit-slot-now">
        <b>{formatTime(time)}</b> your current time
      </p>
    )
  }
  return (
    <button
      className="time-slot"
      type="submit"
      name="time"
      value={value}
      aria-pressed={value === chosen.time || undefined}
    >
      {formatTime(time)}
    </button>
  )
}

function Decision({ page, isResult }: { page: ReschedulePage; isResult: boolean }) {
  const { booking, path, chosen, times } = page
  const { date, time } = chosen
  const isDecided = time !== undefined && isFree(time, times)
  return (
    <div className="visit-decide">
      <p {...(isDecided && { role: 'status' })} {...(isResult && resultAttributes)}>
        <small>New time</small>
        <b>{isDecided ? formatNarrowDateTime(date, time) : 'Pick a time above'}</b>
      </p>
      <div className="visit-decide-buttons">
        <a className={buttonClass('quiet')} href={path}>
          Keep {formatShortDateTime(booking.date, booking.time)}
        </a>
        {isDecided && (
          <ActionButton
            action={`${path}/move`}
            fields={{ seen: booking.sequence, date, time, shown: shownOf(times) }}
            busy="Changing…"
            variant="primary"
          >
            Change to this time
          </ActionButton>
        )}
      </div>
    </div>
  )
}
