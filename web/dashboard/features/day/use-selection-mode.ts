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
  // After the list has closed, focuses the button that opened the list, as soon as the button appears again. If the
  // focus is not on the body or a heading, the user has moved the focus to another element, where it stays.
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
