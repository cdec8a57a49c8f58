/** The maximum number of unchanged characters that the dialog shows on each side of a replaced piece of text. */
const shown = 60

export type Piece = {
  /** The React key of the piece of text, unique within the whole text. */
  readonly id: string
  readonly text: string
  readonly isReplaced: boolean
}

/**
 * Shortens the unchanged pieces of a text in which the erasure replaces customer data. Every second piece (the second,
 * the fourth and so on) contains customer data and keeps its full length.
 */
export function shortenAround(pieces: readonly string[]): Piece[] {
  return pieces.map((text, index) => {
    const isReplaced = index % 2 === 1
    const ends = { isFirst: index === 0, isLast: index === pieces.length - 1 }
    return { id: String(index), text: isReplaced ? text : shorten(text, ends), isReplaced }
  })
}

function shorten(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const characters = Array.from(text)
  if (characters.length <= (isFirst || isLast ? shown : 2 * shown)) return text
  const before = isFirst ? '' : characters.slice(0, shown).join('').trimEnd()
  const after = isLast ? '' : characters.slice(-shown).join('').trimStart()
  return [before && `${before} `, '…', after && ` ${after}`].join('')
}
