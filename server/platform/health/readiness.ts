import { setTimeout as delay } from 'node:timers/promises'

/**
 * If `GET /readyz` was polled within this time, the process concludes that a load balancer decides which process
 * receives requests.
 */
const watchedForMs = 60_000

/**
 * The time that a load balancer needs to react to a 503 response, and the maximum time for which the process waits
 * for the next poll.
 */
const reactionMs = 1_000
const timeoutMs = 5_000

/**
 * Whether load balancers may send requests to this process. `GET /readyz` reports this value together with the state of
 * the database.
 */
export type Readiness = {
  readonly isShuttingDown: boolean
  /** Records that `GET /readyz` was polled. Called just before the response is sent. */
  recordProbe(): void
  /**
   * Makes `GET /readyz` return 503. Resolves when the load balancer has received the 503 and had time to react.
   * Resolves immediately when no load balancer has polled recently.
   */
  shutDown(): Promise<void>
  /**
   * A signal that aborts when the process stops, so that endless responses such as live-event streams end and the
   * listener can close.
   */
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
