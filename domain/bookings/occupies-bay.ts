const statesWithoutTime = new Set(['cancelled', 'not_confirmed', 'no_show'])

/** Returns whether a booking in the given state occupies its bay (docs/product.md 12.4). */
export function occupiesBay(state: string): boolean {
  return !statesWithoutTime.has(state)
}
