import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { timeOfMinute } from '#domain/calendar/clock-time.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { dragByKeys } from './drag-by-keys.ts'
import { dragByPointer } from './drag-by-pointer.ts'
import { isSameDropTarget, type DropTarget } from './drop-target.ts'
import { createDragStore, type DragState } from './drag-store.ts'
import { openStates } from '../open-states.ts'
import type { DayLayout } from '../board/day-layout.ts'

/** Callbacks of the day view for a drag in the grid. */
export type Drag = {
  /**
   * Called with true when a drag starts and with false when the drag ends. During the drag, the day view ignores
   * refetched data, so that the blocks do not move.
   */
  readonly onFreeze: (isFrozen: boolean) => void
  /**
   * Saves the new time and bay of the dropped booking. Resolves when the day view shows the result: to true if the
   * booking was moved, otherwise to false.
   */
  readonly onDrop: (booking: DayBooking, time: string, bayId: string | null) => Promise<boolean>
  /** Opens the move panel, which lists free times. */
  readonly onOpenMovePanel: (booking: DayBooking) => void
}

type Options = { plan: DayLayout; hours: OpeningHours; dragHandlers: Drag }

/** Lets the user drag bookings in the grid with the pointer or with the M key. */
export function useDrag(body: RefObject<HTMLElement | null>, options: Options) {
  const { plan, hours, dragHandlers } = options
  const [store] = useState(createDragStore)
  const focusAfterDropId = useRef<string>(undefined)
  const cancelDrag = useRef<() => void>(undefined)
  // Cancels the drag when the grid disappears, because the user changed the date or narrowed the window.
  useEffect(() => () => cancelDrag.current?.(), [])
  usePreventScroll(body, () => store.current() !== undefined)
  // After a drop by keyboard, React may draw the booking in another column as a new element. This effect focuses that
  // element.
  useEffect(() => {
    if (focusAfterDropId.current === undefined) return
    body.current?.querySelector<HTMLElement>(`[data-stop="${focusAfterDropId.current}"]`)?.focus()
    focusAfterDropId.current = undefined
  })

  const find = (element: Element | null) => {
    const id = element?.closest('[data-stop]')?.getAttribute('data-stop')
    for (const [column, { blocks }] of plan.columns.entries()) {
      const block = blocks.find(({ booking }) => booking.id === id)
      const isMovable = block && openStates.has(block.booking.state) && !block.isContinued
      if (isMovable) return { block, from: { column, startsAtMinute: block.startsAtMinute } }
    }
    return undefined
  }
  const startDrag = (next: DragState) => {
    dragHandlers.onFreeze(true)
    store.set(next)
  }
  const setTarget = (dropTarget: DropTarget) => {
    const now = store.current()
    if (now) store.set({ ...now, to: dropTarget })
  }
  const endDrag = () => {
    store.set(undefined)
    dragHandlers.onFreeze(false)
  }
  async function end(isDropped: boolean) {
    const now = store.current()
    if (!isDropped || !now || isSameDropTarget(now.from, now.to)) return endDrag()
    store.set({ ...now, by: 'saving' })
    const { booking } = now.block
    const bayId = plan.columns[now.to.column]?.bayId ?? null
    const isMoved = await dragHandlers.onDrop(booking, timeOfMinute(now.to.startsAtMinute), bayId)
    if (isMoved && now.by === 'keys') focusAfterDropId.current = booking.id
    endDrag()
  }

  useShortcut('m', () => {
    const found = find(document.activeElement)
    if (!found || !body.current?.contains(document.activeElement) || store.current()) return
    startDrag({ ...found, to: found.from, by: 'keys' })
    cancelDrag.current = dragByKeys({
      from: found.from,
      columns: plan.columns.length,
      hours,
      onTargetChange: setTarget,
      onEnd: (isDropped) => void end(isDropped),
      onOpenMovePanel: () => dragHandlers.onOpenMovePanel(found.block.booking),
    })
  })
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const block = event.target instanceof Element ? event.target.closest('.day-booking') : null
    const found = find(block)
    if (!found || !(block instanceof HTMLElement) || !body.current) return
    if (event.button !== 0 || !event.isPrimary || store.current()) return
    cancelDrag.current = dragByPointer(event.nativeEvent, {
      body: body.current,
      block,
      hours,
      onDragStart: () => startDrag({ ...found, to: found.from, by: 'pointer' }),
      onTargetChange: setTarget,
      onEnd: (isDropped) => void end(isDropped),
    })
  }
  return { store, onPointerDown }
}

/**
 * Prevents the page from scrolling during a drag by finger. The touch listeners of React are passive and cannot prevent
 * scrolling, so this hook adds its own listener.
 */
function usePreventScroll(body: RefObject<HTMLElement | null>, isDragging: () => boolean) {
  const latest = useRef(isDragging)
  useEffect(() => {
    latest.current = isDragging
  })
  useEffect(() => {
    const element = body.current
    const preventScroll = (event: TouchEvent) =>
      latest.current() && event.cancelable && event.preventDefault()
    element?.addEventListener('touchmove', preventScroll, { passive: false })
    return () => element?.removeEventListener('touchmove', preventScroll)
  }, [body])
}
