/*
 * Makes untrusted text harmless for subjects, bodies, pages and calendar files: no line breaks where one line is
 * expected, a maximum length, and nothing that a mail program or a browser turns into a link.
 */

// Control characters, line and paragraph separators, and direction marks.
const invisible = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Reduces a text to one line of at most `maxLength` characters, for subjects, names and cells. */
export function oneUntrustedLine(text: string, maxLength = 120): string {
  return shorten(text.replaceAll(invisible, ' ').replaceAll(/\s+/g, ' ').trim(), maxLength)
}

/** Reduces a text to at most `maxLength` characters, with its line breaks but without other control characters. */
export function untrustedLines(text: string, maxLength = 5000): string {
  const lines = text.split(/\r\n|\r|\n|\u2028|\u2029/)
  return shorten(
    lines
      .map((line) => line.replaceAll(invisible, ' '))
      .join('\n')
      .trim(),
    maxLength,
  )
}

function shorten(text: string, maxLength: number): string {
  const characters = Array.from(text)
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}

/**
 * Prevents mail programs from turning text that looks like a URL into a link, because a visitor can book with someone
 * else's email address. The function inserts invisible word joiners, so that the text no longer looks like a URL.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll('://', ':\u2060//')
    .replaceAll(/\.(?=[\p{L}\p{N}])/gu, '.\u2060')
    .replaceAll('@', '\u2060@\u2060')
}
