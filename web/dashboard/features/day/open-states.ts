/** The states of a booking that is neither held, finished nor cancelled. */
export const openStates: ReadonlySet<string> = new Set([
  'confirmed',
  'pending',
  'arrived',
  'in_work',
])
