import type { Ref } from 'react'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { Button } from '#web/ui/button/button.tsx'
import { PartsOfDay } from '#web/ui/calendar/parts-of-day.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { slotCount } from './slot-count.ts'
import type { AvailableSlots } from './use-available-slots.ts'
import './available-times.css'

type AvailableTimesProps = {
  available: AvailableSlots
  /** The element that receives the focus after the choice of a date. */
  heading: Ref<HTMLHeadingElement>
  onChoose: (time: string) => void
  onRetry: () => void
}

/** 'Available Times' of step 2 in its five states (docs/product.md 2.3). */
export function AvailableTimes({ available, heading, onChoose, onRetry }: AvailableTimesProps) {
  return (
    <section
      className="card panel available-times"
      aria-labelledby="times-title"
      aria-busy={available.status === 'checking'}
    >
      <h2 id="times-title" ref={heading} tabIndex={-1}>
        Available Times
      </h2>
      {available.status !== 'no-date' && (
        <p className="hint available-times-date">{formatLongDate(available.date)}</p>
      )}
      <p className="visually-hidden" role="status">
        {announcementOf(available)}
      </p>
      <TimesBody available={available} onChoose={onChoose} onRetry={onRetry} />
    </section>
  )
}

function TimesBody({ available, onChoose, onRetry }: Omit<AvailableTimesProps, 'heading'>) {
  switch (available.status) {
    case 'no-date':
      return <p className="muted">Please select a date first</p>
    case 'checking':
      return (
        <div className="time-slots">
          {[1, 2, 3, 4].map((slot) => (
            <Skeleton key={slot} className="time-slot" />
          ))}
        </div>
      )
    case 'failed':
      return (
        <div className="retry-box">
          <p>We couldn't load the available times. Check your connection.</p>
          <Button level="secondary" onClick={onRetry}>
            Try Again
          </Button>
        </div>
      )
    case 'checked':
      return available.slots.length === 0 ? (
        <div>
          <p className="no-times">No available slots on {formatLongDate(available.date)}</p>
          <p className="muted">Try selecting a different date</p>
        </div>
      ) : (
        <PartsOfDay
          times={available.slots}
          renderTime={(time) => (
            <button className="time-slot" type="button" key={time} onClick={() => onChoose(time)}>
              {formatTime(time)}
            </button>
          )}
        />
      )
  }
}

function announcementOf(available: AvailableSlots): string {
  switch (available.status) {
    case 'no-date':
      return ''
    case 'checking':
      return 'Checking available times'
    case 'failed':
      return 'The times could not be loaded'
    case 'checked':
      return `${slotCount(available.slots.length)} on ${formatLongDate(available.date)}`
  }
}
