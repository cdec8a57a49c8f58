/** Edges of a box in the window, in pixels. */
export type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Between a notification and what it stays clear of. */
const gapPx = 8

/**
 * How far a notification goes up from where it stands so that it covers none of the boxes; 0 where there is no such place
 * in the window.
 */
export function liftAbove(notification: Box, boxes: readonly Box[]): number {
  const beside = boxes
    .filter(({ left, right }) => left < notification.right && right > notification.left)
    .toSorted((a, b) => b.top - a.top)
  let lift = 0
  for (const box of beside) {
    const isCovered =
      box.bottom + gapPx > notification.top - lift && box.top - gapPx < notification.bottom - lift
    if (isCovered) lift = notification.bottom - box.top + gapPx
  }
  return notification.top - lift < gapPx ? 0 : lift
}
