import { useEffect, useRef } from 'react'

/**
 * The focus returns to the car whose panel was closed. What opened it may be gone: a car that is done has moved within
 * the list, and the notice that took a step back had the focus itself.
 */
export function useFocusOnLeave(chosenId: string | undefined): void {
  const last = useRef(chosenId)
  const wanted = useRef<string>(undefined)
  // After each drawing: one that was moved stands on another day, which is still to be read.
  useEffect(() => {
    if (chosenId === undefined && last.current !== undefined) wanted.current = last.current
    last.current = chosenId
    if (wanted.current === undefined) return
    const car = document.querySelector<HTMLElement>(`[data-stop="${wanted.current}"]`)
    car?.focus()
    const isGivenUp = chosenId !== undefined || document.activeElement !== document.body
    if (car || isGivenUp) wanted.current = undefined
  })
}
