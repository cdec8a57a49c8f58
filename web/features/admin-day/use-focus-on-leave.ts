import { useEffect, useRef } from 'react'

/**
 * The focus returns to the car whose panel was closed. What opened it may be gone: a car that is done has moved within
 * the list, and the notice that took a step back had the focus itself.
 */
export function useFocusOnLeave(chosenId: string | undefined): void {
  const last = useRef(chosenId)
  useEffect(() => {
    if (chosenId === undefined && last.current !== undefined) {
      document.querySelector<HTMLElement>(`[data-stop="${last.current}"]`)?.focus()
    }
    last.current = chosenId
  }, [chosenId])
}
