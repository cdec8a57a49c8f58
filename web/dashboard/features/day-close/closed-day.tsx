import { useEffect, useRef } from 'react'
import type { DayClose, FinishedClose } from '#contracts/payments/day-close.ts'
import { addDays, dayNames, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { denominationName, denominations, differenceText } from '#domain/money/cash-count.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { closeReasonText } from './close-texts.ts'
import { CorrectionsCard } from './corrections-card.tsx'
import { MovementsCard } from './movements-card.tsx'
import { closedFigures } from './way-figures.ts'
import { WaysCard } from './ways-card.tsx'

/**
 * Shows the close of a day: the name of the team member who closed the day, the differences, and the later corrections.
 */
export function ClosedDay({ day, close }: { day: DayClose; close: FinishedClose }) {
  return (
    <div className="day-close-columns">
      <div className="day-close-stack">
        <Stamp day={day} close={close} />
        <WaysCard day={day} figures={closedFigures(day, close)} />
        <CorrectionsCard close={close} />
        <MovementsCard day={day} />
      </div>
      <CountedCash close={close} />
    </div>
  )
}

function Stamp({ day, close }: { day: DayClose; close: FinishedClose }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button 'Close the day' no longer exists after the close, so the heading receives the focus.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  const difference = close.countedCents - close.expectedCents
  const reason = closeReasonText(close)
  return (
    <section className="card day-close-stamp">
      <h3 ref={heading} tabIndex={-1}>
        Closed at {formatShopTime(new Date(close.closedAt))} by{' '}
        <StaffName username={close.closedByName} at={close.closedAt} />
      </h3>
      <p>
        {difference === 0
          ? 'The count matched the expected cash'
          : differenceText(difference, formatCents)}
        {reason ? `: “${reason}”` : '.'}
      </p>
      <p>
        {formatCents(close.countedCents - close.remainsCents)} for the bank,{' '}
        {formatCents(close.remainsCents)} start for {dayNames[weekdayOf(addDays(day.day, 1))]}.
      </p>
    </section>
  )
}

function CountedCash({ close }: { close: FinishedClose }) {
  return (
    <aside className="card day-close-counted-cash">
      <h3>Counted cash</h3>
      <dl>
        {denominations
          .filter((denomination) => close.counted[denomination])
          .map((denomination) => (
            <div key={denomination}>
              <dt>
                {close.counted[denomination]} × {denominationName(denomination)}
              </dt>
              <dd>{formatCents((close.counted[denomination] ?? 0) * denomination)}</dd>
            </div>
          ))}
        <div>
          <dt>Counted</dt>
          <dd className="day-close-figure">{formatCents(close.countedCents)}</dd>
        </div>
      </dl>
    </aside>
  )
}
