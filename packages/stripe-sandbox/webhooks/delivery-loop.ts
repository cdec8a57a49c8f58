export type DeliveryLoop = {
  /** Starts a round of event deliveries: immediately, or when the current round has ended. */
  runSoon(): void
  /** Starts no further round of event deliveries. Resolves when the current round has ended. */
  stop(): Promise<void>
}

const intervalMilliseconds = 5_000

/**
 * Runs `round`, which delivers the due events, every five seconds and after each call of `runSoon`. Rounds of one
 * process never overlap.
 */
export function startDeliveryLoop(
  round: () => Promise<unknown>,
  report: (error: unknown) => void,
): DeliveryLoop {
  let running: Promise<void> | undefined
  let isRequested = false
  const stopping = new AbortController()

  const run = async () => {
    do {
      isRequested = false
      await round().catch(report)
    } while (isRequested && !stopping.signal.aborted)
    running = undefined
  }
  const runSoon = () => {
    if (stopping.signal.aborted) return
    isRequested = true
    running ??= run()
  }
  const timer = setInterval(runSoon, intervalMilliseconds)
  timer.unref()
  return {
    runSoon,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
