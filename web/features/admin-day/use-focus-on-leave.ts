import { useEffect, useRef } from 'react'

/** Which car is to have the focus, and where it has been given. */
type Wish = { readonly id: string; readonly car?: HTMLElement | null }

/**
 * The focus returns to the car whose panel was closed. What opened it may be gone: a car that is done has moved within
 * the list, and the notice that took a step back had the focus itself.
 */
export function useFocusOnLeave(chosenId: string | undefined): void {
  const last = useRef(chosenId)
  const wish = useRef<Wish>(undefined)
  // After each drawing: one that was moved stands on another day, which is still to be read, and the day that it has
  // left may be drawn once more before.
  useEffect(() => {
    if (chosenId !== undefined) wish.current = undefined
    else if (last.current !== undefined) wish.current = { id: last.current }
    last.current = chosenId
    if (wish.current) wish.current = giveFocus(wish.current)
  })
}

/** Resolves the wish as far as this drawing can; undefined once somebody has gone elsewhere. */
function giveFocus({ id, car }: Wish): Wish | undefined {
  const isFirst = car === undefined
  const stands = document.activeElement
  if (!isFirst && stands === car) return { id, car }
  if (!isFirst && (car?.isConnected || stands !== document.body)) return undefined
  const now = document.querySelector<HTMLElement>(`[data-stop="${id}"]`)
  now?.focus()
  return now || stands === document.body ? { id, car: now } : undefined
}
