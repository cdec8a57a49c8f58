import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { isSameDropTarget, snapMinute, type DropTarget } from './drop-target.ts'
import { pressToDrag } from './press-to-drag.ts'

type Carrying = {
  /** The body of the grid: lanes, and the card that is carried. */
  readonly body: HTMLElement
  readonly block: HTMLElement
  readonly hours: OpeningHours
  readonly onDragStart: () => void
  readonly onTargetChange: (dropTarget: DropTarget) => void
  readonly onEnd: (isDropped: boolean) => void
}

const minutesOfRow = 30
/** This near to an edge of the window the page scrolls, under the bars at the top and over the strip at the bottom. */
const edgePx = { top: 160, bottom: 90 }
const scrollPxPerFrame = 12

/**
 * Carries a car by mouse or finger. What follows the pointer is one transform a frame; the rest only the quarters. The
 * returned function puts it back.
 */
export function dragByPointer(down: PointerEvent, carrying: Carrying): () => void {
  const { body, block, hours, onDragStart, onTargetChange, onEnd } = carrying
  const held = block.getBoundingClientRect()
  const grip = { x: Math.min(down.clientX - held.left, 24), y: down.clientY - held.top }
  const point = { x: down.clientX, y: down.clientY }
  const columns = [...body.querySelectorAll<HTMLElement>('[data-column]')]
  let dropTarget: DropTarget | undefined
  let frame = 0

  function follow() {
    frame = requestAnimationFrame(follow)
    scrollAtEdges(point.y)
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
      onEnd(isDropped)
    },
  })
}

const rowsOf = ({ opensAtMinute, closesAtMinute }: OpeningHours) =>
  (closesAtMinute - opensAtMinute) / minutesOfRow

/** The last lane that begins left of a point. */
const columnAt = (columns: readonly HTMLElement[], x: number) =>
  Math.max(
    0,
    columns.findLastIndex(({ offsetLeft }) => offsetLeft <= x),
  )

function scrollAtEdges(y: number): void {
  if (y < edgePx.top) window.scrollBy(0, -scrollPxPerFrame)
  if (y > window.innerHeight - edgePx.bottom) window.scrollBy(0, scrollPxPerFrame)
}
