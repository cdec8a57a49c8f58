import { givenName } from '#domain/customers/given-name.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'

/*
 * Greetings and email addresses in emails. An email that an unverified visitor can cause greets only with the given
 * name that `greetUnverified` accepts. All other untrusted text passes through domain/text/untrusted-text.ts.
 */

/**
 * Returns the greeting of an email that an unverified visitor caused: with a given name that cannot contain a message,
 * or without a name.
 */
export function greetUnverified(name: string): string {
  const first = givenName(name)
  return first === '' ? 'Hello,' : `Hello ${first},`
}

/**
 * Returns the greeting to a customer whose name staff entered: with the full name, or without a name if the text is not
 * plausible as a name.
 */
export function greeting(name: string): string {
  const line = oneUntrustedLine(name, 80)
  const isNoName = line === '' || /[@/\\<>]|:|\bwww\b|\p{L}\.\p{L}{2,}/iu.test(line)
  return isNoName ? 'Hello,' : `Hello ${line},`
}

/**
 * Returns whether the text is a single email address that no mail server can parse as two addresses or as a command.
 */
export function isSingleAddress(email: string): boolean {
  return (
    email.length <= 254 && /^[^\s@,;:<>()[\]\\"\p{C}]{1,64}@[^\s@,;:<>()[\]\\"\p{C}]+$/u.test(email)
  )
}

/**
 * Returns an email address in the normalized spelling that is passed to the mail server; undefined unless the text is a
 * single email address. A domain has many spellings ("gmail。com", invisible letters) that mail programs and URLs reduce
 * to one spelling (Unicode TS 46). Limits per email address must count the normalized spelling.
 */
export function mailableAddress(email: string): string | undefined {
  const [, name = '', domain = ''] = /^(.+)@([^/?#%]+)$/.exec(email) ?? []
  const isSpelled = isSingleAddress(email) && URL.canParse(`http://${domain}`)
  return isSpelled ? `${name}@${new URL(`http://${domain}`).hostname}` : undefined
}
