import { useEffect, useRef } from 'react'

const steps: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 }

/** What uses the arrows itself: fields, tabs, dialogs, and the cars, which they walk. */
const hasOwnArrows = 'input, select, textarea, [role="tab"], dialog, [data-lane]'

/** The arrows left and right lead to the day before and after, wherever nothing else uses them. */
export function useDayKeys(onStep: (days: -1 | 1) => void): void {
  const latest = useRef(onStep)
  useEffect(() => {
    latest.current = onStep
  })
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (!step || event.defaultPrevented || isModified(event)) return
      if (event.target instanceof Element && event.target.closest(hasOwnArrows)) return
      if (document.querySelector('dialog:modal')) return
      event.preventDefault()
      latest.current(step)
    }
    document.addEventListener('keydown', follow)
    return () => document.removeEventListener('keydown', follow)
  }, [])
}

const isModified = (event: KeyboardEvent) =>
  event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing
