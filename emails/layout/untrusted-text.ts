import { givenName } from '#domain/customers/given-name.ts'

/*
 * Text that somebody else wrote, made harmless for subjects, bodies and calendar files: no markup, no
 * line breaks where one line is meant, no endless names, and nothing that a mail program turns into a link.
 * Letters that a stranger can cause to anybody's address hold none of it: `greetUnverified` is all they say.
 */

// Control characters, line and paragraph separators, and the marks that turn writing direction around.
const invisible = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** One line of at most `maxLength` characters, for subjects, names and cells. */
export function oneUntrustedLine(text: string, maxLength = 120): string {
  return shorten(text.replaceAll(invisible, ' ').replaceAll(/\s+/g, ' ').trim(), maxLength)
}

/** Several lines of at most `maxLength` characters, other control characters removed. */
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
 * Keeps what looks like an address from becoming a link: mail programs make links of plain text, and
 * anyone may book under somebody else's e-mail address. An invisible word joiner breaks the pattern.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll('://', ':\u2060//')
    .replaceAll(/\.(?=[\p{L}\p{N}])/gu, '.\u2060')
    .replaceAll('@', '\u2060@\u2060')
}

/** How a letter opens that a stranger caused: by a given name that cannot carry a message, or by none. */
export function greetUnverified(name: string): string {
  const first = givenName(name)
  return first === '' ? 'Hello,' : `Hello ${first},`
}

/** How a letter opens whose addressee staff wrote down: by the whole name, unless it is no name. */
export function greeting(name: string): string {
  const line = oneUntrustedLine(name, 80)
  const isNoName = line === '' || /[@/\\<>]|:|\bwww\b|\p{L}\.\p{L}{2,}/iu.test(line)
  return isNoName ? 'Hello,' : `Hello ${line},`
}

/** Whether it is one plain address: nothing that a mail server could take for two, or for a command. */
export function isSingleAddress(email: string): boolean {
  return (
    email.length <= 254 && /^[^\s@,;:<>()[\]\\"\p{C}]{1,64}@[^\s@,;:<>()[\]\\"\p{C}]+$/u.test(email)
  )
}

/**
 * The address in the one spelling that a mail server is given, undefined unless it is one plain address. A domain has
 * endless spellings ("gmail。com", invisible letters); mail programs and URLs reduce them alike (Unicode TS 46). Whoever
 * counts letters must count this.
 */
export function mailableAddress(email: string): string | undefined {
  const [, name = '', domain = ''] = /^(.+)@([^/?#%]+)$/.exec(email) ?? []
  const isSpelled = isSingleAddress(email) && URL.canParse(`http://${domain}`)
  return isSpelled ? `${name}@${new URL(`http://${domain}`).hostname}` : undefined
}
