import { type CSSProperties, type MouseEvent, useState } from 'react'
import { formatMinute } from '#domain/calendar/clock-time.ts'
import { minutesOf, type MinuteSpan } from '#domain/calendar/day-spans.ts'
import { formatLength } from '#domain/text/span-text.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  freeSlot: MinuteSpan
  /**
   * The name of the bay, which the button shows in the list of a phone. In the grid, the column already names the bay.
   */
  bay?: string
  onBook: (startsAtMinute: number) => void
}

/**
 * The button for a free slot, which opens the phone booking panel. A key press books from the start of the slot, a
 * click in the grid from the half hour under the pointer.
 */
export function FreeSlotButton({ freeSlot, bay, onBook }: Props) {
  const free = `${formatLength(minutesOf(freeSlot))} free`
  const isInGrid = bay === undefined
  const [pointed, setPointed] = useState<number>()
  return (
    <button
      type="button"
      className="day-free-slot"
      data-stop={`gap ${bay} ${freeSlot.startsAtMinute}`}
      onPointerMove={isInGrid ? (event) => setPointed(minutePointedAt(event, freeSlot)) : undefined}
      onPointerLeave={() => setPointed(undefined)}
      onFocus={(event) =>
        isInGrid &&
        event.currentTarget.matches(':focus-visible') &&
        setPointed(freeSlot.startsAtMinute)
      }
      onBlur={() => setPointed(undefined)}
      onClick={(event) =>
        onBook(isInGrid ? minuteOfClick(event, freeSlot) : freeSlot.startsAtMinute)
      }
    >
      {pointed !== undefined && <HalfHour startsAtMinute={pointed} freeSlot={freeSlot} />}
      <Icon name="plus" />
      <b>{formatMinute(freeSlot.startsAtMinute)}</b>
      <span>{isInGrid ? free : `${bay}, ${free}`}</span>
    </button>
  )
}

/** Highlights the half hour under the pointer, which a click would book. */
function HalfHour({ startsAtMinute, freeSlot }: { startsAtMinute: number; freeSlot: MinuteSpan }) {
  const rest = freeSlot.endsAtMinute - startsAtMinute
  const share = (minutes: number) => `${(minutes / minutesOf(freeSlot)) * 100}%`
  return (
    <i
      className="day-half-hour"
      aria-hidden="true"
      style={
        {
          '--half-hour-top': share(startsAtMinute - freeSlot.startsAtMinute),
          '--half-hour-length': share(Math.min(30, rest)),
        } as CSSProperties
      }
    >
      {formatMinute(startsAtMinute)}
    </i>
  )
}

function minuteOfClick(event: MouseEvent<HTMLElement>, freeSlot: MinuteSpan): number {
  // A click event that a key caused has no pointer position (`detail` is 0), so the booking begins at the start of the
  // slot.
  return event.detail === 0 ? freeSlot.startsAtMinute : minutePointedAt(event, freeSlot)
}

function minutePointedAt(event: MouseEvent<HTMLElement>, freeSlot: MinuteSpan): number {
  const { top, height } = event.currentTarget.getBoundingClientRect()
  const minute = freeSlot.startsAtMinute + ((event.clientY - top) / height) * minutesOf(freeSlot)
  return Math.max(freeSlot.startsAtMinute, Math.floor(minute / 30) * 30)
}
