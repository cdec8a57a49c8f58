import { useEffect, useRef, useState } from 'react'
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
 * focus, too. Returns a function that requests the current time for the buttons that lead to today, or withdraws that.
 */
export function useScrollInDay({
  isDrawn,
  isToday,
  chosenId,
}: Options): (isWanted: boolean) => void {
  const hasOpened = useRef(false)
  useEffect(() => {
    if (!isDrawn || hasOpened.current) return
    hasOpened.current = true
    // A page that Back restores keeps its position.
    if (isToday && window.scrollY === 0) scrollToNow()
  }, [isDrawn, isToday])

  // The dates change after the button was pressed, so the request waits for today.
  const [request, setRequest] = useState<object>()
  const done = useRef<object>(undefined)
  useEffect(() => {
    if (!isDrawn || !isToday || done.current === request) return
    done.current = request
    if (request && !chosenId) scrollToNow()
  }, [isDrawn, isToday, chosenId, request])

  const shownId = useRef<string>(undefined)
  // Runs after every render, because a booking is drawn only after the day was refetched.
  useEffect(() => {
    if (!isDrawn || !chosenId) shownId.current = undefined
    else if (shownId.current !== chosenId) {
      const block = blockOf(chosenId)
      block?.scrollIntoView({ block: 'nearest' })
      if (block) shownId.current = chosenId
    }
    showBookedBooking(focusBlock)
  })
  return (isWanted) => setRequest(isWanted ? {} : undefined)
}

const scrollToNow = () =>
  document.querySelector('.day-now, .day-list-now')?.scrollIntoView({ block: 'center' })

function focusBlock(id: string): boolean {
  const block = blockOf(id)
  block?.scrollIntoView({ block: 'nearest' })
  block?.focus()
  return block !== null
}

const blockOf = (id: string) => document.querySelector<HTMLElement>(`[data-stop="${id}"]`)
