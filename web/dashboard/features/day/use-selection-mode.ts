import { type RefCallback, useCallback, useRef, useState } from 'react'

/**
 * Whether the list in which staff select several bookings by checkboxes is open. When the list closes, the focus
 * returns to the button that opened the list.
 */
export function useSelectionMode(): {
  readonly isSelecting: boolean
  readonly begin: () => void
  readonly end: () => void
  readonly button: RefCallback<HTMLButtonElement>
} {
  const [isSelecting, select] = useState(false)
  const returnsFocus = useRef(false)
  // The button may reappear after the list has closed. Focuses the button only if the focus is on the body or a
  // heading, where the browser puts the focus when the focused element disappears. Any other focus was moved
  // deliberately by the user.
  const button = useCallback((element: HTMLButtonElement | null) => {
    if (!element || !returnsFocus.current) return
    returnsFocus.current = false
    if (document.activeElement?.matches('body, h1, h2, h3, h4')) element.focus()
  }, [])
  const choose = (selecting: boolean) => {
    returnsFocus.current = !selecting
    select(selecting)
  }
  return { isSelecting, begin: () => choose(true), end: () => choose(false), button }
}
