import { givenName } from '#domain/customers/given-name.ts'

/*
 * Makes untrusted text harmless for subjects, bodies and calendar files: no markup, no line breaks where one line is
 * expected, a maximum length, and nothing that a mail program turns into a link. Emails that an unverified visitor can
 * cause contain only the given name of `greetUnverified`.
 */

// Control characters, line and paragraph separators, and direction marks.
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
 * Prevents mail programs from turning text that looks like a URL into a link, because a visitor can book with someone
 * else's email address. An invisible word joiner breaks the pattern.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll('://', ':\u2060//')
    .replaceAll(/\.(?=[\p{L}\p{N}])/gu, '.\u2060')
    .replaceAll('@', '\u2060@\u2060')
}

/**
 * The greeting of an email that an unverified visitor caused: with a given name that cannot carry a message, or without
 * a name.
 */
export function greetUnverified(name: string): string {
  const first = givenName(name)
  return first === '' ? 'Hello,' : `Hello ${first},`
}

/** The greeting to a customer whose name staff entered: with the full name, if it is a plausible one. */
export function greeting(name: string): string {
  const line = oneUntrustedLine(name, 80)
  const isNoName = line === '' || /[@/\\<>]|:|\bwww\b|\p{L}\.\p{L}{2,}/iu.test(line)
  return isNoName ? 'Hello,' : `Hello ${line},`
}

/** Whether the text is one plain address that no mail server can parse as two addresses or as a command. */
export function isSingleAddress(email: string): boolean {
  return (
    email.length <= 254 && /^[^\s@,;:<>()[\]\\"\p{C}]{1,64}@[^\s@,;:<>()[\]\\"\p{C}]+$/u.test(email)
  )
}

/**
 * An address in the normalized spelling that is passed to the mail server; undefined unless it is one plain address. A
 * domain has many spellings ("gmail。com", invisible letters) that mail programs and URLs reduce to one (Unicode TS 46).
 * Limits per address must count the normalized spelling.
 */
export function mailableAddress(email: string): string | undefined {
  const [, name = '', domain = ''] = /^(.+)@([^/?#%]+)$/.exec(email) ?? []
  const isSpelled = isSingleAddress(email) && URL.canParse(`http://${domain}`)
  return isSpelled ? `${name}@${new URL(`http://${domain}`).hostname}` : undefined
}
