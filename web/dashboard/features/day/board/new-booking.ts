import { useEffect, useSyncExternalStore } from 'react'
import type { MinuteSpan } from '#domain/calendar/day-spans.ts'

/** Where a booking that is being made stands in a day. */
export type NewBooking = MinuteSpan & {
  /** yyyy-MM-dd */
  readonly date: string
  /** Null is in no bay. */
  readonly bayId: string | null
}

/*
 * The panel for who is calling stands beside any view, and the day that it books for, when it is in sight, shows it: one
 * at a time.
 */
let shown: NewBooking | undefined
const listeners = new Set<() => void>()

function show(next: NewBooking | undefined): void {
  if (JSON.stringify(next) === JSON.stringify(shown)) return
  shown = next
  for (const listener of listeners) listener()
}

/** Draws a booking in its day for as long as its panel is open. */
export function useShownInDay(booking: NewBooking | undefined): void {
  useEffect(() => show(booking))
  useEffect(() => () => show(undefined), [])
}

/** The booking that is being made, if it is of this date. */
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
