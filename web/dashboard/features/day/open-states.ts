/** States of a booking whose work is not finished. */
export const openStates: ReadonlySet<string> = new Set([
  'confirmed',
  'pending',
  'arrived',
  'in_work',
])
