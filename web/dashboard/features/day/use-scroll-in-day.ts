import { useEffect, useRef } from 'react'
import { showBookedBooking } from './board/booked-booking.ts'

type Options = {
  /** Whether the day is loaded and drawn. */
  readonly isDrawn: boolean
  readonly isToday: boolean
  /** The booking whose panel is open. */
  readonly chosenId: string | undefined
}

/**
 * Scrolls to the current time when today opens, to the booking whose panel opens, and to a new booking, which gets the
 * focus, too.
 */
export function useScrollInDay({ isDrawn, isToday, chosenId }: Options): void {
  const hasOpened = useRef(false)
  useEffect(() => {
    if (!isDrawn || hasOpened.current) return
    hasOpened.current = true
    // A page that Back restores keeps its position.
    if (!isToday || window.scrollY > 0) return
    document.querySelector('.day-now, .day-list-now')?.scrollIntoView({ block: 'center' })
  }, [isDrawn, isToday])

  useEffect(() => {
    if (isDrawn && chosenId) blockOf(chosenId)?.scrollIntoView({ block: 'nearest' })
  }, [isDrawn, chosenId])

  // Runs after every render, because a new booking is drawn only after the day was refetched.
  useEffect(() => showBookedBooking(focusBlock))
}

function focusBlock(id: string): boolean {
  const block = blockOf(id)
  block?.scrollIntoView({ block: 'nearest' })
  block?.focus()
  return block !== null
}

const blockOf = (id: string) => document.querySelector<HTMLElement>(`[data-stop="${id}"]`)
