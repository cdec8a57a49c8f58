/**
 * The maximum number of characters for one line of the shop's name: in the heading's large font, such a line fits on a
 * phone.
 */
const comfortable = 12

/**
 * Splits the shop's name between words into lines of similar length: 'Torque & Timing' becomes two lines. Uses the
 * smallest number of lines with which no line exceeds the maximum length, but at most four.
 */
export function splitNameLines(name: string): string[] {
  const words = name.split(' ').filter(Boolean)
  const most = Math.min(words.length, 4)
  for (let count = 1; count <= most; count += 1) {
    const lines = breakInto(words, count)
    if (count === most || longest(lines) <= comfortable) return lines
  }
  return [name]
}

const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length))

/**
 * Splits the words into `count` lines so that the longest line is as short as possible. Of several such splits, the
 * first one is used.
 */
function breakInto(words: readonly string[], count: number): string[] {
  if (count === 1) return [words.join(' ')]
  let best: string[] = [words.join(' ')]
  for (let first = 1; first <= words.length - count + 1; first += 1) {
    const lines = [words.slice(0, first).join(' '), ...breakInto(words.slice(first), count - 1)]
    if (best.length === 1 || longest(lines) < longest(best)) best = lines
  }
  return best
}
