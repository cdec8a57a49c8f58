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

/** What becomes of a car that is moved through the grid. */
export type Drag = {
  /** Holds the day as it is while a car is in the air, or lets it follow again. */
  readonly onHold: (isHeld: boolean) => void
  /** Resolves, once the day shows it, to whether it was moved. */
  readonly onDrop: (booking: DayBooking, time: string, bayId: string | null) => Promise<boolean>
  /** Shows its free times. */
  readonly onOpenMovePanel: (booking: DayBooking) => void
}

type Options = { plan: DayLayout; hours: OpeningHours; dragHandlers: Drag }

/** Lifts cars of the grid, by pointer or M, and drops them elsewhere. */
export function useDrag(body: RefObject<HTMLElement | null>, options: Options) {
  const { plan, hours, dragHandlers } = options
  const [store] = useState(createDragStore)
  const movedId = useRef<string>(undefined)
  const putBack = useRef<() => void>(undefined)
  // Another day, or a narrow window: what is in the air has nowhere to be dropped.
  useEffect(() => () => putBack.current?.(), [])
  usePreventScroll(body, () => store.current() !== undefined)
  // Dropped by the keys it is in another lane now, and drawn anew.
  useEffect(() => {
    if (movedId.current === undefined) return
    body.current?.querySelector<HTMLElement>(`[data-stop="${movedId.current}"]`)?.focus()
    movedId.current = undefined
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
    dragHandlers.onHold(true)
    store.set(next)
  }
  const put = (dropTarget: DropTarget) => {
    const now = store.current()
    if (now) store.set({ ...now, to: dropTarget })
  }
  const release = () => {
    store.set(undefined)
    dragHandlers.onHold(false)
  }
  async function end(isDropped: boolean) {
    const now = store.current()
    if (!isDropped || !now || isSameDropTarget(now.from, now.to)) return release()
    store.set({ ...now, by: 'saving' })
    const { booking } = now.block
    const bayId = plan.columns[now.to.column]?.bayId ?? null
    const isMoved = await dragHandlers.onDrop(booking, timeOfMinute(now.to.startsAtMinute), bayId)
    if (isMoved && now.by === 'keys') movedId.current = booking.id
    release()
  }

  useShortcut('m', () => {
    const found = find(document.activeElement)
    if (!found || !body.current?.contains(document.activeElement) || store.current()) return
    startDrag({ ...found, to: found.from, by: 'keys' })
    putBack.current = dragByKeys({
      from: found.from,
      columns: plan.columns.length,
      hours,
      onTargetChange: put,
      onEnd: (isDropped) => void end(isDropped),
      onOpenMovePanel: () => dragHandlers.onOpenMovePanel(found.block.booking),
    })
  })
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const block = event.target instanceof Element ? event.target.closest('.day-booking') : null
    const found = find(block)
    if (!found || !(block instanceof HTMLElement) || !body.current) return
    if (event.button !== 0 || !event.isPrimary || store.current()) return
    putBack.current = dragByPointer(event.nativeEvent, {
      body: body.current,
      block,
      hours,
      onDragStart: () => startDrag({ ...found, to: found.from, by: 'pointer' }),
      onTargetChange: put,
      onEnd: (isDropped) => void end(isDropped),
    })
  }
  return { store, onPointerDown }
}

/** While a finger carries a car the page stays where it is; React's own listeners could not say so. */
function usePreventScroll(body: RefObject<HTMLElement | null>, isCarrying: () => boolean) {
  const latest = useRef(isCarrying)
  useEffect(() => {
    latest.current = isCarrying
  })
  useEffect(() => {
    const element = body.current
    const preventScroll = (event: TouchEvent) =>
      latest.current() && event.cancelable && event.preventDefault()
    element?.addEventListener('touchmove', preventScroll, { passive: false })
    return () => element?.removeEventListener('touchmove', preventScroll)
  }, [body])
}
