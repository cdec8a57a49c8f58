import { useEffect, useState, useSyncExternalStore } from 'react'
import type { MinuteSpan } from '#domain/calendar/day-spans.ts'

/** The date, time and bay that an open panel proposes for a booking and has not saved. */
export type UnsavedPlace = MinuteSpan & {
  /** The date, yyyy-MM-dd. */
  readonly date: string
  /** The id of the bay; null for no bay, undefined for any bay. */
  readonly bayId: string | null | undefined
  /** Whether the booking would have a conflict at this place, which the employee has to resolve. */
  readonly isConflict: boolean
}

/*
 * The phone booking panel and the move panel can be open beside any view. A day view of the same date draws the
 * unsaved place from this store. The store has at most one place at a time, and the panel that proposed it.
 */
let shown: UnsavedPlace | undefined
let shownBy: object | undefined
const listeners = new Set<() => void>()

function show(panel: object, next: UnsavedPlace | undefined): void {
  if (next === undefined && panel !== shownBy) return
  shownBy = panel
  if (JSON.stringify(next) === JSON.stringify(shown)) return
  shown = next
  for (const listener of listeners) listener()
}

/** Shows an unsaved place in the day view until the panel closes. */
export function useShownInDay(place: UnsavedPlace | undefined): void {
  const [panel] = useState({})
  useEffect(() => show(panel, place))
  useEffect(() => () => show(panel, undefined), [panel])
}

/** The unsaved place, if it is on this date. */
export function useUnsavedPlaceOf(date: string): UnsavedPlace | undefined {
  const place = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => shown,
  )
  return place?.date === date ? place : undefined
}
