import { type KeyboardEvent, type RefObject, useState } from 'react'
import { areShortcutsEnabled } from '#web/dashboard/kit/navigation/shortcuts.ts'

type Options = {
  readonly count: number
  readonly field: RefObject<HTMLInputElement | null>
  readonly list: RefObject<HTMLElement | null>
  /** Opens the hit of this place. */
  readonly onOpen: (index: number) => void
  /** Books for it; undefined where nobody is to be booked. */
  readonly onBook: ((index: number) => void) | undefined
}

/**
 * The keys of a list below a field. The arrows take the focus into the list, so that a letter there is a deed; any
 * other letter goes on with what was typed.
 */
export function useHitKeys({ count, field, list, onOpen, onBook }: Options) {
  const [active, setActive] = useState(0)
  const focusHit = (index: number) => {
    setActive(index)
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[index]?.focus()
  }
  const followKey = (event: KeyboardEvent) => {
    const isInList = event.target !== field.current
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (isModified(event) || count === 0) return
    if (step) {
      event.preventDefault()
      if (isInList && active + step < 0) return field.current?.focus()
      return focusHit(isInList || step > 0 ? (active + step + count) % count : count - 1)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      return onOpen(active)
    }
    if (!isInList) return
    if (event.key.toLowerCase() === 'b' && onBook && areShortcutsEnabled()) {
      event.preventDefault()
      return onBook(active)
    }
    // It is typed where the focus is once this is over.
    if (event.key.length === 1 || event.key === 'Backspace') field.current?.focus()
  }
  return { active, setActive: setActive, followKey }
}

const isModified = (event: KeyboardEvent) =>
  event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing
