import { useEffect, useState, useSyncExternalStore } from 'react'
import type { MinuteSpan } from '#domain/calendar/day-spans.ts'

/** The date, time and bay that an open panel proposes for a booking and has not saved. */
export type UnsavedPlace = MinuteSpan & {
  /** The date, yyyy-MM-dd. */
  readonly date: string
  /** The id of the proposed bay; null for a booking without a bay, undefined if any bay is possible. */
  readonly bayId: string | null | undefined
  /** Whether the proposed slot has a conflict that staff have to resolve before saving. */
  readonly isConflict: boolean
}

/*
 * Passes the slot that a panel proposes to the day view, which draws the slot if it shows the slot's date. The phone
 * booking panel and the move panel can be open beside any view. The store contains at most one slot, together with the
 * panel that proposed the slot.
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

/** Makes the day view draw the slot that a panel proposes, until the panel closes. */
export function useShownInDay(place: UnsavedPlace | undefined): void {
  const [panel] = useState({})
  useEffect(() => show(panel, place))
  useEffect(() => () => show(panel, undefined), [panel])
}

/** Returns the slot that an open panel proposes on this date; undefined if there is none. */
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
