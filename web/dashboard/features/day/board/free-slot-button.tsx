import type { MouseEvent } from 'react'
import { formatMinute } from '#domain/calendar/clock-time.ts'
import { minutesOf, type MinuteSpan } from '#domain/calendar/day-spans.ts'
import { formatLength } from '#domain/text/span-text.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

type Props = {
  freeSlot: MinuteSpan
  /** The bay's name, shown where the slot is not drawn inside its bay's column. */
  bay?: string
  onBook: (startsAtMinute: number) => void
}

/**
 * A free slot that opens the phone booking panel. A key press books from the start of the slot, a click in
 * the grid from the half hour under the pointer.
 */
export function FreeSlotButton({ freeSlot, bay, onBook }: Props) {
  const free = `${formatLength(minutesOf(freeSlot))} free`
  return (
    <button
      type="button"
      className="day-free-slot"
      data-stop={`gap ${bay} ${freeSlot.startsAtMinute}`}
      onClick={(event) =>
        onBook(bay === undefined ? minutePointedAt(event, freeSlot) : freeSlot.startsAtMinute)
      }
    >
      <Icon name="plus" />
      <b>{formatMinute(freeSlot.startsAtMinute)}</b>
      <span>{bay === undefined ? free : `${bay}, ${free}`}</span>
    </button>
  )
}

function minutePointedAt(event: MouseEvent<HTMLElement>, freeSlot: MinuteSpan): number {
  // A click from the keyboard has no pointer position (`detail` is 0).
  if (event.detail === 0) return freeSlot.startsAtMinute
  const { top, height } = event.currentTarget.getBoundingClientRect()
  const minute = freeSlot.startsAtMinute + ((event.clientY - top) / height) * minutesOf(freeSlot)
  return Math.max(freeSlot.startsAtMinute, Math.floor(minute / 30) * 30)
}
