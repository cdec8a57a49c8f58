import { type RefCallback, useCallback, useRef, useState } from 'react'

/** Whether visits are being ticked; at the end the focus is back on the button that began it. */
export function useSelectionMode(): {
  readonly isSelecting: boolean
  readonly begin: () => void
  readonly end: () => void
  readonly button: RefCallback<HTMLButtonElement>
} {
  const [isSelecting, select] = useState(false)
  const givesFocusBack = useRef(false)
  // The button may come back later than the list goes, and the focus may be somewhere else by then: on a heading it only
  // waits, because what had it is gone.
  const button = useCallback((element: HTMLButtonElement | null) => {
    if (!element || !givesFocusBack.current) return
    givesFocusBack.current = false
    if (document.activeElement?.matches('body, h1, h2, h3, h4')) element.focus()
  }, [])
  const choose = (selecting: boolean) => {
    givesFocusBack.current = !selecting
    select(selecting)
  }
  return { isSelecting, begin: () => choose(true), end: () => choose(false), button }
}
