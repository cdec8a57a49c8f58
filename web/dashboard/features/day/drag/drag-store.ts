import type { DayBlock } from '../board/day-layout.ts'
import type { DropTarget } from './drop-target.ts'

/** A booking that is being dragged through the grid. */
export type DragState = {
  readonly block: DayBlock & { readonly subcolumn: number; readonly subcolumns: number }
  readonly from: DropTarget
  readonly to: DropTarget
  /**
   * `pointer`: dragged by mouse or finger. `keys`: moved by the arrow keys. `saving`: dropped, and the
   * request is running.
   */
  readonly by: 'pointer' | 'keys' | 'saving'
}

export type DragStore = ReturnType<typeof createDragStore>

/**
 * Stores the running drag outside of React's state. Therefore a movement of the pointer renders only the components
 * that subscribe to the drag, not the whole day.
 */
export function createDragStore() {
  let drag: DragState | undefined
  const listeners = new Set<() => void>()
  return {
    current: () => drag,
    set: (next: DragState | undefined) => {
      drag = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
