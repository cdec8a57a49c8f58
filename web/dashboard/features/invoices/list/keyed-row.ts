/**
 * The index of the row that an arrow key, Home or End focuses from row `index` of `count` rows; undefined for other
 * keys.
 */
export function keyedRow(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
