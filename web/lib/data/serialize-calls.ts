/**
 * Wraps an action so that two runs never overlap. All calls during a run together cause one more run after it. No call
 * cancels a running action, even if calls arrive continuously.
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
        // The runs must be sequential.
        // oxlint-disable-next-line no-await-in-loop
        await action()
      }
    } finally {
      isRunning = false
    }
  }
}
