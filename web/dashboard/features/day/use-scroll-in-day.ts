import { useEffect, useRef, useState } from 'react'
import { showBookedBooking } from './board/booked-booking.ts'

type Options = {
  /** Whether the bookings of the day are loaded and drawn. */
  readonly isDrawn: boolean
  readonly isToday: boolean
  /** The id of the booking whose panel is open. */
  readonly chosenId: string | undefined
}

/**
 * Scrolls to the current time when the user opens today's date, to a booking whose panel opens, and to a new booking,
 * which also gets the focus. Returns a function that requests the scroll to the current time (true) or cancels the
 * request (false).
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
    // When the user returns with Back, the browser restores the scroll position, so the page must not scroll to the
    // current time.
    if (isToday && window.scrollY === 0) scrollToNow()
  }, [isDrawn, isToday])

  // The button for today first changes the date, so the requested scroll waits until the page shows today.
  const [request, setRequest] = useState<object>()
  const done = useRef<object>(undefined)
  useEffect(() => {
    if (!isDrawn || !isToday || done.current === request) return
    done.current = request
    if (request && !chosenId) scrollToNow()
  }, [isDrawn, isToday, chosenId, request])

  const shownId = useRef<string>(undefined)
  // This effect runs after every render, because the page draws a new booking only after it has refetched the day.
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
