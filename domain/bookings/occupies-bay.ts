const statesWithoutTime = new Set(['cancelled', 'not_confirmed', 'no_show'])

/** Whether an appointment in this state takes its bay's time (docs/product.md 12.4). */
export function occupiesBay(state: string): boolean {
  return !statesWithoutTime.has(state)
}
