/** The number of free times in words: 17 → '17 times free', 0 → 'No times free'. */
export function slotCount(count: number): string {
  if (count === 0) return 'No times free'
  return count === 1 ? '1 time free' : `${count} times free`
}
