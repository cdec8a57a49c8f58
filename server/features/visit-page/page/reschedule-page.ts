import {
  addDays,
  addMonths,
  firstOfMonth,
  formatDayOfYear,
  formatLongDate,
  formatMonth,
  isCalendarDate,
} from '#domain/calendar/calendar-date.ts'
import { clampDay, type DayRange, weeksOfMonth } from '#domain/calendar/calendar-month.ts'
import { formatTime, isClockTime } from '#domain/calendar/clock-time.ts'
import { closedReason } from '#domain/calendar/closed-reason.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { formatSpecialPeriod, groupSpecialHours } from '#domain/calendar/special-hours.ts'
import { type PartOfDay, partOfDay } from '#domain/bookings/time-slots.ts'
import {
  formatDateTime,
  formatNarrowDateTime,
  formatShortDateTime,
} from '#domain/calendar/date-time-text.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'
import type { VisitPageData } from '../read-visit-page.ts'
import { noticeBox, pageHeading, postTo, resultAttributes } from './page-result.ts'
import { actionButton, icon } from './markup.ts'
import { formatService } from './visit-page-text.ts'

export type ReschedulePage = {
  readonly shop: ShopFacts
  readonly booking: VisitPageData
  /** The path of the visit page. */
  readonly path: string
  readonly chosen: Chosen
  /** The free times of the chosen date as 'HH:mm:ss'. */
  readonly times: readonly string[]
  readonly notice?: string | undefined
}

/** The current choice. The URL contains it, so that each step works without JavaScript. */
type Chosen = {
  readonly date: string
  readonly month: string
  readonly time: string | undefined
  /** Whether the URL names the day; otherwise the day is that of the appointment. */
  readonly isDayPicked: boolean
}

/** The range of days to which a booking can be moved, from today on. */
function rangeOf({ rules }: ShopFacts, { now }: VisitPageData): DayRange {
  const first = now.slice(0, 10)
  return { first, last: addDays(first, rules.horizonDays) }
}

export type RescheduleQuery = {
  readonly date: string | undefined
  readonly month: string | undefined
  readonly time: string | undefined
  /** The free times ('HH:mm') that the previous page showed. */
  readonly shown: readonly string[]
}

/** More times than any day has. */
const mostTimes = 100

/** The times as the value of a form field: '11:00 11:30'. */
const shownOf = (times: readonly string[]) => times.map((time) => time.slice(0, 5)).join(' ')

/** Reads the choice from the URL; ignores invalid dates and times. */
export function readRescheduleQuery(query: Readonly<Record<string, unknown>>): RescheduleQuery {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const dateOf = (name: string) => (isCalendarDate(text(name)) ? text(name) : undefined)
  const time = isClockTime(text('time')) ? text('time') : undefined
  const shown = text('shown').split(' ', mostTimes).filter(isClockTime)
  return { date: dateOf('date'), month: dateOf('month'), time, shown }
}

/** Limits the choice to the available days; the initial day is that of the appointment. */
export function selectedTime(
  shop: ShopFacts,
  booking: VisitPageData,
  { date, month, time }: RescheduleQuery,
): Chosen {
  const range = rangeOf(shop, booking)
  const day = clampDay(date ?? booking.date, range)
  return {
    date: day,
    month: firstOfMonth(clampDay(month ?? day, range)),
    time: date === day ? time : undefined,
    isDayPicked: date === day,
  }
}

/** Renders the choice of day and time with plain forms; a script only avoids the page loads. */
export function renderReschedulePage(page: ReschedulePage): WrittenPage {
  const { booking, path, notice } = page
  const heading = 'Pick a new time'
  const result = resultOf(page)
  const main = html`<main id="main" tabindex="-1" class="page-width visit-change">
    <a class="visit-back" href="${path}">${icon('arrow-left')}Your appointment</a>
    ${pageHeading(heading, result === 'heading')}${noticeBox(notice)}
    <p class="chosen-service">
      <span>Now: <b>${formatDateTime(booking.date, booking.time)}</b></span
      ><span>${formatService(booking)}</span>
    </p>
    <div class="date-and-time">${dayPanel(page)}${timePanel(page, result)}</div>
    ${decision(page, result)}
  </main>`
  return { title: notice ?? heading, main }
}

/** The result of the last step: a notice, a time to confirm, or the times of a day. */
type Result = 'notice' | 'decision' | 'times' | 'heading'

function resultOf({ notice, chosen, times }: ReschedulePage): Result {
  if (notice !== undefined) return 'notice'
  if (isFree(chosen.time, times)) return 'decision'
  return chosen.isDayPicked ? 'times' : 'heading'
}

const isFree = (time: string | undefined, times: readonly string[]) =>
  times.some((free) => free.slice(0, 5) === time)

function dayPanel(page: ReschedulePage): Markup {
  return html`<form
    class="card panel"
    method="get"
    action="${postTo(`${page.path}/change`)}"
    data-swap
  >
    <h2>Day</h2>
    ${monthHead(page)}
    <table class="calendar" aria-labelledby="calendar-month">
      <thead>
        <tr>
          ${dayHeads}
        </tr>
      </thead>
      <tbody>
        ${weeksOfMonth(page.chosen.month).map(
          (week) =>
            html`<tr>
              ${week.map((day) => dayCell(page, day))}
            </tr>`,
        )}
      </tbody>
    </table>
    ${closedDays(page)}
  </form>`
}

/** The closures within the range of days. */
function closedDays({ shop, booking }: ReschedulePage): Markup[] {
  const { first, last } = rangeOf(shop, booking)
  const days = shop.specialDays.filter(
    ({ date, hours }) => hours.length === 0 && date >= first && date <= last,
  )
  return groupSpecialHours(days).map(
    (period) => html`<p class="hint closed-days">${formatSpecialPeriod(period)}</p>`,
  )
}

const dayHeads = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map(
  (day) => html`<th scope="col" abbr="${day}">${day.slice(0, 3)}</th>`,
)

function monthHead({ shop, booking, chosen }: ReschedulePage): Markup {
  const range = rangeOf(shop, booking)
  const { month } = chosen
  const previous = monthButton(
    'Previous month',
    'chevron-left',
    clampDay(addMonths(month, -1), range),
    month,
  )
  const next = monthButton(
    'Next month',
    'chevron-right',
    clampDay(addMonths(month, 1), range),
    month,
  )
  return html`<div class="calendar-head">
    ${previous}<b id="calendar-month">${formatMonth(month)}</b>${next}
  </div>`
}

function monthButton(
  label: string,
  name: 'chevron-left' | 'chevron-right',
  day: string,
  month: string,
): Markup {
  const isOff = firstOfMonth(day) === month
  return html`<button
    class="icon-button"
    type="submit"
    name="month"
    value="${day}"
    aria-label="${label}"
    ${isOff ? disabled : undefined}
  >
    ${icon(name)}
  </button>`
}

const disabled = html`disabled`

function dayCell({ shop, booking, chosen }: ReschedulePage, day: string | null): Markup {
  if (day === null) return html`<td></td>`
  const range = rangeOf(shop, booking)
  const isIn = day >= range.first && day <= range.last
  const closed = isIn ? closedReason(day, shop) : 'not available'
  const labels = [formatLongDate(day), closed, day === booking.date && 'your appointment now']
    .filter(Boolean)
    .join(', ')
  const isOff = closed !== undefined
  const isChosen = day === chosen.date ? html`aria-pressed="true"` : undefined
  return html`<td class="${day === range.first ? 'calendar-today' : ''}">
    <button
      type="submit"
      name="date"
      value="${day}"
      aria-label="${labels}"
      ${isOff ? disabled : isChosen}
    >
      ${Number(day.slice(8))}
    </button>
  </td>`
}

const parts: readonly PartOfDay[] = ['Morning', 'Afternoon', 'Evening']

function timePanel({ path, chosen, times, booking }: ReschedulePage, result: Result): Markup {
  const groups = parts.map((part) => {
    const slots = times.filter((time) => partOfDay(time) === part)
    return slots.length === 0
      ? html``
      : html`<div class="time-slots" role="group" aria-label="${part}">
          <p class="part-of-day" aria-hidden="true">${part}</p>
          ${slots.map((time) => slot(time, booking, chosen))}
        </div>`
  })
  const none = html`<p class="no-times">No available slots on ${formatLongDate(chosen.date)}</p>
    <p class="muted">Try selecting a different date</p>`
  return html`<form
    class="card panel available-times"
    method="get"
    action="${postTo(`${path}/change`)}"
    data-swap
  >
    <h2 ${result === 'times' && resultAttributes}>Time on ${formatDayOfYear(chosen.date)}</h2>
    <input type="hidden" name="date" value="${chosen.date}" />
    <input type="hidden" name="shown" value="${shownOf(times)}" />
    ${times.length === 0 ? none : groups}
  </form>`
}

function slot(time: string, booking: VisitPageData, chosen: Chosen): Markup {
  const value = time.slice(0, 5)
  if (chosen.date === booking.date && time === booking.time) {
    return html`<p class="time-slot visit-slot-now">
      <b>${formatTime(time)}</b> your current time
    </p>`
  }
  const pressed = value === chosen.time ? html`aria-pressed="true"` : undefined
  return html`<button class="time-slot" type="submit" name="time" value="${value}" ${pressed}>
    ${formatTime(time)}
  </button>`
}

function decision({ booking, path, chosen, times }: ReschedulePage, result: Result): Markup {
  const { date, time } = chosen
  const keepLink = html`<a class="button button-quiet" href="${path}"
    >Keep ${formatShortDateTime(booking.date, booking.time)}</a
  >`
  if (time === undefined || !isFree(time, times)) {
    return html`<div class="visit-decide">
      <p><small>New time</small><b>Pick a time above</b></p>
      <div class="visit-decide-buttons">${keepLink}</div>
    </div>`
  }
  const change = actionButton(path, {
    action: 'move',
    fields: { seen: booking.sequence, date, time, shown: shownOf(times) },
    label: 'Change to this time',
    busy: 'Changing…',
    variant: 'primary',
  })
  return html`<div class="visit-decide">
    <p role="status" ${result === 'decision' && resultAttributes}>
      <small>New time</small><b>${formatNarrowDateTime(date, time)}</b>
    </p>
    <div class="visit-decide-buttons">${keepLink}${change}</div>
  </div>`
}
