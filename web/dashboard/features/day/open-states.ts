/** The states of a booking that is neither finished, cancelled nor waiting for the customer's confirmation. */
export const openStates: ReadonlySet<string> = new Set([
  'confirmed',
  'pending',
  'arrived',
  'in_work',
])
