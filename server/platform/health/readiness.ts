import { setTimeout as delay } from 'node:timers/promises'

/** Somebody who asks at least this often decides who gets traffic. */
const watchedForMs = 60_000

/** How long a watcher that was told has to act on it, and how long we wait for it to ask. */
const reactionMs = 1_000
const timeoutMs = 5_000

/** Whether this process wants traffic: what `GET /readyz` answers beside the state of the database. */
export type Readiness = {
  readonly isLeaving: boolean
  /** `GET /readyz` was asked and is about to be answered. */
  recordProbe(): void
  /**
   * From now on the answer is no. Resolves once whoever watches has heard it and had a moment to send
   * visitors elsewhere; at once when nobody has been asking.
   */
  leave(): Promise<void>
  /** Answers that go on for as long as somebody listens end with it, so that the door can close. */
  readonly farewell: AbortSignal
  bidFarewell(): void
}

export function createReadiness(clock: () => number = Date.now): Readiness {
  let lastProbedAt = Number.NEGATIVE_INFINITY
  let isLeaving = false
  const heard = Promise.withResolvers<void>()
  const farewell = new AbortController()
  return {
    farewell: farewell.signal,
    bidFarewell: () => farewell.abort(),
    get isLeaving() {
      return isLeaving
    },
    recordProbe() {
      lastProbedAt = clock()
      if (isLeaving) heard.resolve()
    },
    async leave() {
      isLeaving = true
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
