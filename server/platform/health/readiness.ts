import { setTimeout as delay } from 'node:timers/promises'

/**
 * For this many milliseconds after a request to `GET /readyz`, the process assumes that a load balancer decides which
 * process receives requests.
 */
const watchedForMs = 60_000

/**
 * In milliseconds: the time that a load balancer needs to react to a 503 response, and the maximum time for which the
 * process waits for the next request to `GET /readyz`.
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
   * A signal that aborts when the process stops. Endless responses, such as streams of live events, then end, so that
   * the listener can close.
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
