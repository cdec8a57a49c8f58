import { useQuery } from '@tanstack/react-query'
import { useParams, Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { DayClose, UnclosedDay } from '#contracts/payments/day-close.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { ClosedDay } from './closed-day.tsx'
import { dayName, counted } from './close-texts.ts'
import { dayCloseKey, readDayClose } from './day-close-api.ts'
import { DayHead } from './day-head.tsx'
import { MovementsCard } from './movements-card.tsx'
import { OpenDay } from './open-day.tsx'
import { PrintView } from './print-view.tsx'
import { WaysCard } from './ways-card.tsx'
import './day-close.css'
import { dayNames, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { dayCloseLink } from '#web/dashboard/kit/navigation/links.ts'
import { buttonClass } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'

/**
 * The page on which staff close a day: they count the cash and compare the sums of the other payment methods
 * (docs/product.md 17.7).
 */
export function DayClosePage() {
  const { date } = useParams({ from: '/day-close/$date' })
  const close = useQuery({ queryKey: [dayCloseKey, date], queryFn: () => readDayClose(date) })
  const [isPrinting, setIsPrinting] = useState(false)
  const printButton = useRef<HTMLButtonElement>(null)
  function stopPrinting() {
    flushSync(() => setIsPrinting(false))
    printButton.current?.focus()
  }
  if (close.isPending) return <Skeleton className="day-close-skeleton" />
  return (
    <>
      {close.isError && (
        <LoadFailure
          title="This day could not be loaded."
          readAt={close.data && new Date(close.dataUpdatedAt)}
          onRetry={() => void close.refetch()}
        >
          The day was not closed. Only loading its payments failed.
        </LoadFailure>
      )}
      {close.data && isPrinting && <PrintView day={close.data} onClose={stopPrinting} />}
      {/*
       * The form with the cash count stays mounted while the print view is open and after a failed load, because
       * unmounting would delete the typed values.
       */}
      {close.data && (
        <div hidden={isPrinting}>
          <DayHead day={close.data} printButton={printButton} onPrint={() => setIsPrinting(true)} />
          <Body key={date} day={close.data} />
        </div>
      )}
    </>
  )
}

/**
 * Shows the form that closes the day, or the recorded close. If another team member closes the day, the form with the
 * user's own count stays until the user presses the button that shows the recorded close.
 */
function Body({ day }: { day: DayClose }) {
  const [openedAt] = useState(day.close)
  const [showsClose, setShowsClose] = useState(openedAt !== null)
  if (day.close && showsClose) return <ClosedDay day={day} close={day.close} />
  if (!day.hasLines) return <NothingToClose day={day} />
  if (day.isBeforeClosedDay) {
    return (
      <div className="day-close-stack">
        <p className="day-close-empty">
          {dayName(day.day)} was not closed. A later day is closed, so nothing can be closed here.
        </p>
        <WaysCard day={day} />
      </div>
    )
  }
  if (day.unclosedDays.length > 0) return <WaitsForEarlierDays day={day} />
  return <OpenDay day={day} onShowClose={() => setShowsClose(true)} />
}

function NothingToClose({ day }: { day: DayClose }) {
  return (
    <div className="day-close-stack">
      <p className="day-close-empty">No payments on {dayName(day.day)}. Nothing to close.</p>
      {day.day === day.today && <MovementsCard day={day} />}
    </div>
  )
}

function WaitsForEarlierDays({ day }: { day: DayClose }) {
  return (
    <div className="day-close-stack">
      {day.unclosedDays.map((unclosed) => (
        <UnclosedNotice key={unclosed.day} unclosed={unclosed} />
      ))}
      <WaysCard day={day} />
      <MovementsCard day={day} />
    </div>
  )
}

/** The notice that an earlier day was not closed, and that staff must close that day first. */
function UnclosedNotice({ unclosed }: { unclosed: UnclosedDay }) {
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
