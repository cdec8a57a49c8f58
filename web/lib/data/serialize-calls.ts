/**
 * Wraps an action so that two runs never overlap. All calls during a run together cause one more run after this run. No
 * call cancels a running action, even if calls arrive continuously.
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
        // Only one run of the action may be in progress at a time.
        // oxlint-disable-next-line no-await-in-loop
        await action()
      }
    } finally {
      isRunning = false
    }
  }
}
