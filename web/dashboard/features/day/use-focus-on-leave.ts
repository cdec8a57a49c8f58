import { useEffect, useRef } from 'react'

/** Which car is to have the focus, and its element once it had it. */
type PendingFocus = { readonly id: string; readonly element?: HTMLElement | undefined }

/** By these somebody goes their own way; what else takes the focus was the browser. */
const presses = ['pointerdown', 'keydown'] as const

/**
 * The focus returns to the car whose panel was closed. What opened it may be gone: a car that is done has moved within
 * the list, and the notice that took a step back had the focus itself.
 */
export function useFocusOnLeave(chosenId: string | undefined): void {
  const last = useRef(chosenId)
  const pending = useRef<PendingFocus>(undefined)
  useEffect(() => {
    const forget = () => {
      pending.current = undefined
    }
    // Before whatever is pressed can close a panel.
    for (const press of presses) document.addEventListener(press, forget, { capture: true })
    return () => {
      for (const press of presses) document.removeEventListener(press, forget, { capture: true })
    }
  }, [])
  // After each drawing: one that was moved stands on another day, which is still to be read, and the day that it has
  // left may be drawn once more before.
  useEffect(() => {
    if (chosenId !== undefined) pending.current = undefined
    else if (last.current !== undefined) pending.current = { id: last.current }
    last.current = chosenId
    if (pending.current) pending.current = giveFocus(pending.current)
  })
}

/** The wish as this drawing leaves it; undefined once something else took the focus from the car where it stands. */
function giveFocus({ id, element }: PendingFocus): PendingFocus | undefined {
  if (element?.isConnected) return document.activeElement === element ? { id, element } : undefined
  const drawn = document.querySelector<HTMLElement>(`[data-stop="${id}"]`)
  drawn?.focus()
  return { id, element: drawn && document.activeElement === drawn ? drawn : undefined }
}
