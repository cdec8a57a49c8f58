/**
 * A deed that never runs beside itself: asked for while it runs, it runs once more when it is done, however often it was
 * asked. In a rush each reading comes to its end.
 */
export function serializeCalls(action: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let isWanted = false
  return async () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    try {
      while (isWanted) {
        isWanted = false
        // One after the other is the point.
        // oxlint-disable-next-line no-await-in-loop
        await action()
      }
    } finally {
      isRunning = false
    }
  }
}
