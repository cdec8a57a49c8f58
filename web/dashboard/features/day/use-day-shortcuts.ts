import { useEffect, useRef } from 'react'

const steps: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Elements that handle the arrow keys themselves: fields, tabs, dialogs, and the lists of bookings. */
const hasOwnArrows = 'input, select, textarea, [role="tab"], dialog, [data-column]'

type Keys = {
  /** Called for the left and right arrow keys with the number of days to move. */
  readonly onStep: (days: -1 | 1) => void
  /**
   * Called when the user presses Escape while the focus is outside the panel. Inside, the panel handles Escape itself.
   */
  readonly onLeave: () => void
}

/** Keyboard shortcuts of the day view, active unless the focused element handles the key itself. */
export function useDayShortcuts(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (event.defaultPrevented || isModified(event)) return
      if (document.querySelector('dialog:modal')) return
      if (event.key === 'Escape') return latest.current.onLeave()
      if (!step || (event.target instanceof Element && event.target.closest(hasOwnArrows))) return
      event.preventDefault()
      latest.current.onStep(step)
    }
    document.addEventListener('keydown', follow)
    return () => document.removeEventListener('keydown', follow)
  }, [])
}

const isModified = (event: KeyboardEvent) =>
  event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing
