import { useEffect, useRef } from 'react'

/** Which car is to have the focus, and its element as last drawn: null while there is none, undefined before a try. */
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

/** The wish as this drawing leaves it; undefined once somebody has gone elsewhere. */
function giveFocus({ id, car }: Wish): Wish | undefined {
  const holder = document.activeElement
  const wasTried = car !== undefined
  if (wasTried && holder === car) return { id, car }
  if (wasTried && (car?.isConnected || holder !== document.body)) return undefined
  const drawn = document.querySelector<HTMLElement>(`[data-stop="${id}"]`)
  drawn?.focus()
  return drawn || holder === document.body ? { id, car: drawn } : undefined
}
