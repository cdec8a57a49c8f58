import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { isSameDropTarget, snapMinute, type DropTarget } from './drop-target.ts'
import { pressToDrag } from './press-to-drag.ts'

type PointerDrag = {
  /** The element of the grid that contains the columns and the dragged card. */
  readonly body: HTMLElement
  readonly block: HTMLElement
  readonly hours: OpeningHours
  readonly onDragStart: () => void
  readonly onTargetChange: (dropTarget: DropTarget) => void
  readonly onEnd: (isDropped: boolean) => void
}

const minutesOfRow = 30
/**
 * The distances, in pixels, from the top and bottom edge of the window within which the pointer scrolls the page during
 * a drag. `top` includes the height of the bars at the top of the window, `bottom` the height of the banner that
 * describes the move.
 */
const edgePx = { top: 160, bottom: 90 }
const scrollPxPerFrame = 12

/**
 * Drags a booking by mouse or finger. The card follows the pointer by one CSS transform per animation frame.
 * `onTargetChange` is called only when the target changes, in steps of a quarter of an hour. The returned function
 * cancels the drag.
 */
export function dragByPointer(down: PointerEvent, drag: PointerDrag): () => void {
  const { body, block, hours, onDragStart, onTargetChange, onEnd } = drag
  const blockBox = block.getBoundingClientRect()
  const grip = { x: Math.min(down.clientX - blockBox.left, 24), y: down.clientY - blockBox.top }
  const point = { x: down.clientX, y: down.clientY }
  const columns = [...body.querySelectorAll<HTMLElement>('[data-column]')]
  let dropTarget: DropTarget | undefined
  let frame = 0

  function follow() {
    frame = requestAnimationFrame(follow)
    scrollAtEdges(point.y)
    moveToPoint()
  }
  function moveToPoint() {
    const { left, top } = body.getBoundingClientRect()
    const x = point.x - grip.x - left
    const y = point.y - grip.y - top
    const card = body.querySelector<HTMLElement>('.drag-card')
    if (card) card.style.transform = `translate3d(${x}px, ${y}px, 0)`
    const rowPx = (columns[0]?.offsetHeight ?? 1) / rowsOf(hours)
    const next = {
      column: columnAt(columns, point.x - left),
      startsAtMinute: snapMinute(hours.opensAtMinute + (y / rowPx) * minutesOfRow, hours),
    }
    if (!dropTarget || !isSameDropTarget(dropTarget, next)) onTargetChange(next)
    dropTarget = next
  }
  return pressToDrag(down, {
    onDragStart: () => {
      onDragStart()
      frame = requestAnimationFrame(follow)
    },
    onMove: (x, y) => Object.assign(point, { x, y }),
    onEnd: (isDropped) => {
      cancelAnimationFrame(frame)
      // Calculates the drop target from the position at which the user released the pointer. A slow browser may have
      // drawn no frame since the last movement.
      if (isDropped) moveToPoint()
      onEnd(isDropped)
    },
  })
}

const rowsOf = ({ opensAtMinute, closesAtMinute }: OpeningHours) =>
  (closesAtMinute - opensAtMinute) / minutesOfRow

/**
 * The index of the column under a horizontal position: the last column whose left edge is left of the position, counted
 * from 0.
 */
const columnAt = (columns: readonly HTMLElement[], x: number) =>
  Math.max(
    0,
    columns.findLastIndex(({ offsetLeft }) => offsetLeft <= x),
  )

function scrollAtEdges(y: number): void {
  if (y < edgePx.top) window.scrollBy(0, -scrollPxPerFrame)
  if (y > window.innerHeight - edgePx.bottom) window.scrollBy(0, scrollPxPerFrame)
}
