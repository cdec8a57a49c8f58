/* Cleans text that a visitor or an employee entered, so that the database accepts it. */

/**
 * Invisible characters and direction overrides, with which two different names can look the same. The joiners U+200C
 * and U+200D are allowed, because the spelling of names in some languages requires these joiners. The database refuses
 * the same characters (internal.shows_every_character).
 */
const unseen =
  /[\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu

/**
 * Direction embeddings, overrides and isolates, which can reverse the text after them. A text of several lines may
 * contain single direction marks.
 */
const unseenInLines = /[\u{202a}-\u{202e}\u{2066}-\u{2069}]|(?![\t\n\r])\p{Cc}/gu

/**
 * Cleans one line of text: converts tabs, line breaks and other control characters to spaces, and removes invisible
 * characters.
 */
export function cleanLine(text: string): string {
  return text
    .replaceAll(unseen, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

/** Cleans a text of several lines: removes control characters other than tabs and line breaks. */
export function cleanLines(text: string): string {
  return text.replaceAll(unseenInLines, '').trim()
}

/** Converts an empty text to null, because the database stores an empty optional field as null. */
export function emptyToNull(text: string): string | null {
  return text === '' ? null : text
}
