import { setTimeout as delay } from 'node:timers/promises'

/** A load balancer that polls at least this often decides which process receives traffic. */
const watchedForMs = 60_000

/** How long a watcher that was told has to act on it, and how long we wait for it to ask. */
const reactionMs = 1_000
const timeoutMs = 5_000

/** Whether this process accepts traffic: `GET /readyz` reports it beside the state of the database. */
export type Readiness = {
  readonly isShuttingDown: boolean
  /** Records a poll of `GET /readyz`, just before its response. */
  recordProbe(): void
  /**
   * From now on the answer is no. Resolves once whoever watches has heard it and had a moment to send
   * visitors elsewhere; at once when nobody has been asking.
   */
  shutDown(): Promise<void>
  /** Answers that go on for as long as somebody listens end with it, so that the door can close. */
  readonly farewell: AbortSignal
  bidFarewell(): void
}

export function createReadiness(clock: () => number = Date.now): Readiness {
  let lastProbedAt = Number.NEGATIVE_INFINITY
  let isShuttingDown = false
  const heard = Promise.withResolvers<void>()
  const farewell = new AbortController()
  return {
    farewell: farewell.signal,
    bidFarewell: () => farewell.abort(),
    get isShuttingDown() {
      return isShuttingDown
    },
    recordProbe() {
      lastProbedAt = clock()
      if (isShuttingDown) heard.resolve()
    },
    async shutDown() {
      isShuttingDown = true
      if (clock() - lastProbedAt > watchedForMs) return
      const gaveUp = new AbortController()
      await Promise.race([
        heard.promise,
        delay(timeoutMs, undefined, gaveUp).catch(() => undefined),
      ])
      gaveUp.abort()
      await delay(reactionMs)
    },
  }
}
