/** States of an appointment that is still to be done. */
export const openStates: ReadonlySet<string> = new Set([
  'confirmed',
  'pending',
  'arrived',
  'in_work',
])
