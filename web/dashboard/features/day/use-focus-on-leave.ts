import { useEffect, useRef } from 'react'

/** A request to focus a booking: the id of the booking, and the booking's element after the element got the focus. */
type PendingFocus = { readonly id: string; readonly element?: HTMLElement | undefined }

/** Events with which the user moves the focus. Any other focus change comes from the browser. */
const presses = ['pointerdown', 'keydown'] as const

/**
 * Returns the focus to the booking whose panel was closed. The element that opened the panel may no longer exist: a
 * finished booking moves within the list, and a toast disappears when the user presses its Undo button.
 */
export function useFocusOnLeave(chosenId: string | undefined): void {
  const last = useRef(chosenId)
  const pending = useRef<PendingFocus>(undefined)
  useEffect(() => {
    const forget = () => {
      pending.current = undefined
    }
    // Listens in the capture phase, because the pressed element could otherwise close a panel before this listener
    // runs.
    for (const press of presses) document.addEventListener(press, forget, { capture: true })
    return () => {
      for (const press of presses) document.removeEventListener(press, forget, { capture: true })
    }
  }, [])
  // Runs after every render, because the new date of a moved booking may still be loading. The page may render the
  // previous date once more before it shows the new date.
  useEffect(() => {
    if (chosenId !== undefined) pending.current = undefined
    else if (last.current !== undefined) pending.current = { id: last.current }
    last.current = chosenId
    if (pending.current) pending.current = giveFocus(pending.current)
  })
}

/**
 * Focuses the booking's element and returns the focus request for the next render. Returns undefined once the focus has
 * left the booking for another element.
 */
function giveFocus({ id, element }: PendingFocus): PendingFocus | undefined {
  if (element?.isConnected) return document.activeElement === element ? { id, element } : undefined
  const drawn = document.querySelector<HTMLElement>(`[data-stop="${id}"]`)
  drawn?.focus()
  return { id, element: drawn && document.activeElement === drawn ? drawn : undefined }
}
