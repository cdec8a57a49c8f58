import { type KeyboardEvent, type RefObject, useState } from 'react'
import { areShortcutsEnabled } from '#web/dashboard/kit/navigation/shortcuts.ts'

type Options = {
  readonly count: number
  readonly field: RefObject<HTMLInputElement | null>
  readonly list: RefObject<HTMLElement | null>
  /** Opens the result at this index. */
  readonly onOpen: (index: number) => void
  /** Books an appointment for the customer at this index; undefined where the list does not offer booking. */
  readonly onBook: ((index: number) => void) | undefined
}

/**
 * Keyboard handling for a result list below a search field. The arrow keys move the focus into the list, where the B
 * key books an appointment. Any other letter moves the focus back to the field and is typed there.
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
    // The browser inserts the typed character after this handler has run, into the focused element. The handler
    // therefore focuses the search field.
    if (event.key.length === 1 || event.key === 'Backspace') field.current?.focus()
  }
  return { active, setActive: setActive, followKey }
}

const isModified = (event: KeyboardEvent) =>
  event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing
