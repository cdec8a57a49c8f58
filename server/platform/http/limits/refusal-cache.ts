/** Stores the rate-limit counters that are exhausted, so that further requests are refused without a query. */
export type RefusalMemory = {
  /**
   * Returns the seconds until a counter accepts a request with this cost. Returns undefined when the cache cannot
   * answer, so that a query must decide.
   */
  waitOf(counter: string, cost: number): number | undefined
  remember(counter: string, refused: { readonly cost: number; readonly seconds: number }): void
  forget(counter: string): void
  /**
   * Removes all counters from the cache. Only tests call this function; they also delete the counters in the
   * database.
   */
  clear(): void
}

const maxCounters = 20_000

/** `now` returns the current time in milliseconds. */
export function createRefusalMemory(now: () => number = () => performance.now()): RefusalMemory {
  const refusals = new Map<string, { readonly cost: number; readonly until: number }>()
  return {
    waitOf(counter, cost) {
      const refusal = refusals.get(counter)
      // The counter may still accept a request with a lower cost than the refused one.
      if (!refusal || cost < refusal.cost) return undefined
      const seconds = Math.ceil((refusal.until - now()) / 1000)
      return seconds > 0 ? seconds : undefined
    },
    remember(counter, { cost, seconds }) {
      // Moves the counter to the end of the map, so that the order of the map is the order of the refusals.
      refusals.delete(counter)
      refusals.set(counter, { cost, until: now() + seconds * 1000 })
      const [oldest = ''] = refusals.keys()
      if (refusals.size > maxCounters) refusals.delete(oldest)
    },
    forget: (counter) => void refusals.delete(counter),
    clear: () => refusals.clear(),
  }
}
