import type { DayBlock } from '../board/day-layout.ts'
import type { DropTarget } from './drop-target.ts'

/** A car that is being moved through the grid. */
export type DragState = {
  readonly block: DayBlock & { readonly subcolumn: number; readonly subcolumns: number }
  readonly from: DropTarget
  readonly to: DropTarget
  /** A pointer carries it, the arrows move it, or it was dropped and is not saved yet. */
  readonly by: 'pointer' | 'keys' | 'saving'
}

export type DragStore = ReturnType<typeof createDragStore>

/** Holds what is lifted beside React: only what shows it is drawn again, not the whole day. */
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
