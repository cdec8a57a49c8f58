import { useEffect, useRef } from 'react'

const steps: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 }

/** What uses the arrows itself: fields, tabs, dialogs, and the cars, which they walk. */
const hasOwnArrows = 'input, select, textarea, [role="tab"], dialog, [data-column]'

type Keys = {
  /** Left and right: the day before and after. */
  readonly onStep: (days: -1 | 1) => void
  /** Esc outside the panel, which hears its own. */
  readonly onLeave: () => void
}

/** Keys of the day, wherever nothing else uses them. */
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
