/* Cleans visitors' input in the way that the database requires. */

/**
 * Invisible characters and direction overrides, with which one name can look like another. The joiners U+200C and
 * U+200D are allowed, because some languages spell names with them. The database refuses the same characters
 * (bookings_have_no_invisible_characters).
 */
const unseen =
  /[\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu

/**
 * Direction embeddings, overrides and isolates, which reverse following text. Texts of several lines may contain single
 * direction marks.
 */
const unseenInLines = /[\u{202a}-\u{202e}\u{2066}-\u{2069}]|(?![\t\n\r])\p{Cc}/gu

/** Cleans one line: tabs, line breaks and other control characters become spaces, invisible characters are removed. */
export function cleanLine(text: string): string {
  return text
    .replaceAll(unseen, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

/** Cleans several lines: control characters other than tabs and line breaks are removed. */
export function cleanLines(text: string): string {
  return text.replaceAll(unseenInLines, '').trim()
}

/** An empty optional field is stored as null. */
export function emptyToNull(text: string): string | null {
  return text === '' ? null : text
}
