export type Pump = {
  /** There may be something to do right now. */
  nudge(): void
  /** Resolves when the last round has ended; there is none after it. */
  stop(): Promise<void>
}

const idleMilliseconds = 5_000

/** Runs `round` whenever nudged and every few seconds, never two at once in this process. */
export function startPump(round: () => Promise<unknown>, report: (error: unknown) => void): Pump {
  let running: Promise<void> | undefined
  let again = false
  const ending = new AbortController()

  const run = async () => {
    do {
      again = false
      await round().catch(report)
    } while (again && !ending.signal.aborted)
    running = undefined
  }
  const nudge = () => {
    if (ending.signal.aborted) return
    again = true
    running ??= run()
  }
  const timer = setInterval(nudge, idleMilliseconds)
  timer.unref()
  return {
    nudge,
    async stop() {
      ending.abort()
      clearInterval(timer)
      await running
    },
  }
}
