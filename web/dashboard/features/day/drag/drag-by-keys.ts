import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { type DropTarget, moveDropTarget } from './drop-target.ts'

type KeyDrag = {
  readonly from: DropTarget
  readonly columns: number
  readonly hours: OpeningHours
  readonly onTargetChange: (dropTarget: DropTarget) => void
  readonly onEnd: (isDropped: boolean) => void
  /**
   * The key M starts the drag by keyboard. A second press of M ends the drag and opens the move panel, which lists free
   * times.
   */
  readonly onOpenMovePanel: () => void
}

/**
 * Moves a booking with the arrow keys. Enter and Space drop the booking. Escape, Tab and any pointer press cancel the
 * drag, and so does the returned function.
 */
export function dragByKeys(drag: KeyDrag): () => void {
  const { from, columns, hours, onTargetChange, onEnd, onOpenMovePanel } = drag
  const stop = new AbortController()
  let dropTarget = from
  const end = (isDropped: boolean) => {
    if (stop.signal.aborted) return
    stop.abort()
    onEnd(isDropped)
  }
  const follow = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Tab') return end(false)
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return end(false)
    if (event.key === 'Enter' || event.key === ' ') return end(true)
    if (event.key.toLowerCase() === 'm' && !event.repeat) {
      end(false)
      return onOpenMovePanel()
    }
    const next = moveDropTarget(dropTarget, event.key, { columns, hours })
    if (!next) return
    dropTarget = next
    onTargetChange(next)
  }
  const options = { signal: stop.signal, capture: true }
  window.addEventListener('keydown', follow, options)
  window.addEventListener('pointerdown', () => end(false), options)
  return () => end(false)
}
