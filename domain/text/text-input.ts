/* What visitors type, as the database takes it. */

/**
 * What nobody sees and what turns the direction of writing around: a name with it reads as another one. The
 * joiners U+200C and U+200D stay, some languages spell names with them. Checks of the
 * database (bookings_have_no_invisible_characters) refuse the same from callers that are no form of ours.
 */
const unseen =
  /[\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu

/** In several lines a single mark of direction may be meant; one that holds on may not. */
const unseenInLines = /[\u{202a}-\u{202e}\u{2066}-\u{2069}]|(?![\t\n\r])\p{Cc}/gu

/** One line: pasted tabs, line breaks and other control characters become spaces, unseen ones go. */
export function cleanLine(text: string): string {
  return text
    .replaceAll(unseen, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

/** Several lines as they were typed, without control characters other than tabs and line breaks. */
export function cleanLines(text: string): string {
  return text.replaceAll(unseenInLines, '').trim()
}

/** What is optional and was left empty is not known. */
export function emptyToNull(text: string): string | null {
  return text === '' ? null : text
}
