import { useEffect, useSyncExternalStore } from 'react'
import type { MinuteSpan } from '#domain/calendar/day-spans.ts'

/** The date, time and bay of a booking that is not saved yet. */
export type NewBooking = MinuteSpan & {
  /** The date, yyyy-MM-dd. */
  readonly date: string
  /** The id of the bay; null for a booking without a bay. */
  readonly bayId: string | null
}

/*
 * The phone booking panel can be open beside any view. A day view of the same date draws the unsaved booking
 * from this store. The store has at most one booking at a time.
 */
let shown: NewBooking | undefined
const listeners = new Set<() => void>()

function show(next: NewBooking | undefined): void {
  if (JSON.stringify(next) === JSON.stringify(shown)) return
  shown = next
  for (const listener of listeners) listener()
}

/** Shows an unsaved booking in the day view until the panel closes. */
export function useShownInDay(booking: NewBooking | undefined): void {
  useEffect(() => show(booking))
  useEffect(() => () => show(undefined), [])
}

/** The unsaved booking, if it is on this date. */
export function useNewBookingOf(date: string): NewBooking | undefined {
  const booking = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => shown,
  )
  return booking?.date === date ? booking : undefined
}
