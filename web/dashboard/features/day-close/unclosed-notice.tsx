import { Link } from '@tanstack/react-router'
import type { UnclosedDay } from '#contracts/payments/day-close.ts'
import { dayNames, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { dayCloseLink } from '#web/dashboard/kit/navigation/links.ts'
import { buttonClass } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { counted, dayName } from './close-texts.ts'

/** Names an earlier day that staff must close first. */
export function UnclosedNotice({ unclosed }: { unclosed: UnclosedDay }) {
  const { day, payments, cashCents } = unclosed
  return (
    <Notice tone="warn" title={`${dayName(day)} was not closed`}>
      {counted(payments, 'payment')}, {formatCents(cashCents)} in cash. Close it first; the next day
      starts with its drawer.
      <div className="day-close-notice-action">
        <Link className={buttonClass('secondary', { compact: true })} {...dayCloseLink(day)}>
          Close {dayNames[weekdayOf(day)]}
        </Link>
      </div>
    </Notice>
  )
}
