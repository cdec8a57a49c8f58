/**
 * Wraps an action so that it never runs twice in parallel. Calls during a run cause one more run after it, however many
 * they are. Every run completes, also under many calls.
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
