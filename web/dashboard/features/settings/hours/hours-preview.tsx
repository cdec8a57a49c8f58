import { useQuery } from '@tanstack/react-query'
import { addDays, dayNames, partsOfDate, sundayOf } from '#domain/calendar/calendar-date.ts'
import { groupOpeningHours, type OpeningWeek } from '#domain/calendar/opening-hours.ts'
import { openSpans, type WeekHours } from '#domain/calendar/opening-spans.ts'
import type { SpecialDay } from '#domain/shop/shop.ts'
import { upcomingSpecialHours, formatSpecialPeriod } from '#domain/calendar/special-hours.ts'
import { useShop } from '#web/lib/shop.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { type ClosureRow, lastDayOf } from './special-hours.ts'
import { closuresFrom } from './special-hours-api.ts'
import { HoursScale } from './hours-card.tsx'
import { type HoursForm, weekOf } from './hours-row.ts'

/** Previews the opening hours of the home page and the calendar of the booking page with the typed hours. */
export function HoursPreview({ values }: { values: HoursForm }) {
  const today = useShopToday()
  const rows = useQuery(closuresFrom(today)).data?.rows ?? []
  const week = weekOf(values)
  const specialDays = specialDaysOf(rows, week, today)
  return (
    <>
      <div className="preview-card">
        <h4>Opening hours</h4>
        <div className="preview-hours">
          {groupOpeningHours(week).map(({ text, hours }) => (
            <div key={text}>
              <b>{text}</b>
              <HoursScale hours={hours} />
            </div>
          ))}
          <p className="preview-scale" aria-hidden="true">
            <span>6 AM</span>
            <span>noon</span>
            <span>5 PM</span>
            <span>11 PM</span>
          </p>
        </div>
        {upcomingSpecialHours({ week, specialDays }, today).map((period) => (
          <p key={period.first} className="preview-exception">
            {formatSpecialPeriod(period)}
          </p>
        ))}
      </div>
      <PreviewCalendar today={today} isOpenOn={(day) => spansOn(day, rows, week).length > 0} />
      <p className="hint">
        Closures of the whole shop are public. The reason is public only if you choose to show it.
      </p>
    </>
  )
}

function spansOn(day: string, rows: readonly ClosureRow[], week: OpeningWeek) {
  const open = Object.fromEntries(Object.entries(week).filter(([, hours]) => hours)) as WeekHours
  return openSpans(day, { week: open, closures: rows })
}

/** The days with special hours, in the format of the website's data. */
function specialDaysOf(
  rows: readonly ClosureRow[],
  week: OpeningWeek,
  today: string,
): SpecialDay[] {
  const ofShop = rows.filter(({ bayId }) => bayId === null)
  const days = new Set(ofShop.flatMap((row) => daysOf(row, today)))
  return [...days].toSorted().map((date) => {
    const hours = spansOn(date, rows, week)
    const closing = ofShop.find((row) => !row.isOpen && daysOf(row, today).includes(date))
    const reason = hours.length === 0 && closing?.isPublic && closing.reason ? closing.reason : null
    return { date, hours, openings: [hours], reason }
  })
}

/**
 * Returns the days of a closure from today on, at most 62, because the website shows at most 62 days of one closure.
 */
function daysOf(row: ClosureRow, today: string): string[] {
  const first = [row.startsAt.slice(0, 10), today].toSorted().at(-1) ?? today
  const last = lastDayOf(row)
  return Array.from({ length: 62 }, (_, index) => addDays(first, index)).filter(
    (day) => day <= last,
  )
}

function PreviewCalendar(props: { today: string; isOpenOn: (day: string) => boolean }) {
  const { today, isOpenOn } = props
  const { horizonDays } = useShop().rules
  const sunday = sundayOf(today)
  const last = addDays(today, horizonDays)
  const days = Array.from({ length: 35 }, (_, index) => addDays(sunday, index))
  return (
    <div className="preview-card">
      <h4>Select a Date</h4>
      <div className="preview-calendar" aria-hidden="true">
        {dayNames.map((name) => (
          <b key={name}>{name.slice(0, 1)}</b>
        ))}
        {days.map((day) => {
          const canBePicked = day >= today && day <= last && isOpenOn(day)
          return (
            <span key={day} className={canBePicked ? undefined : 'preview-closed'}>
              {partsOfDate(day).day}
            </span>
          )
        })}
      </div>
    </div>
  )
}
