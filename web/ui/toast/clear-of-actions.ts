/** The distances of a box's edges from the top and left edges of the window, in pixels. */
export type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The minimum gap, in pixels, between a notification and a button below it. */
const gapPx = 8

/**
 * Returns how many pixels a notification must move up so that it covers none of the given boxes of buttons; 0 when the
 * window has no free place.
 */
export function offsetAbove(notification: Box, boxes: readonly Box[]): number {
  const beside = boxes
    .filter(({ left, right }) => left < notification.right && right > notification.left)
    .toSorted((a, b) => b.top - a.top)
  let offset = 0
  for (const box of beside) {
    const isCovered =
      box.bottom + gapPx > notification.top - offset &&
      box.top - gapPx < notification.bottom - offset
    if (isCovered) offset = notification.bottom - box.top + gapPx
  }
  return notification.top - offset < gapPx ? 0 : offset
}
