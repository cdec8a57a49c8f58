/** Which counters are used up, as the database said: who asks again meanwhile is refused without asking it. */
export type RefusalMemory = {
  /** The seconds until a counter takes so much again; undefined when the database has to be asked. */
  waitOf(counter: string, cost: number): number | undefined
  remember(counter: string, refused: { readonly cost: number; readonly seconds: number }): void
  forget(counter: string): void
  /** Forgets everything; tests empty the counters as well. */
  clear(): void
}

const maxCounters = 20_000

/** `now` is in milliseconds. */
export function createRefusalMemory(now: () => number = () => performance.now()): RefusalMemory {
  const refusals = new Map<string, { readonly cost: number; readonly until: number }>()
  return {
    waitOf(counter, cost) {
      const refusal = refusals.get(counter)
      // A smaller request may still find room.
      if (!refusal || cost < refusal.cost) return undefined
      const seconds = Math.ceil((refusal.until - now()) / 1000)
      return seconds > 0 ? seconds : undefined
    },
    remember(counter, { cost, seconds }) {
      // Added anew, so that the map's order is the order of the refusals.
      refusals.delete(counter)
      refusals.set(counter, { cost, until: now() + seconds * 1000 })
      const [oldest = ''] = refusals.keys()
      if (refusals.size > maxCounters) refusals.delete(oldest)
    },
    forget: (counter) => void refusals.delete(counter),
    clear: () => refusals.clear(),
  }
}
