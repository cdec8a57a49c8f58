import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Creates an id in Stripe's format: a prefix for the kind of object, followed by random characters that cannot be
 * guessed.
 */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${randomText(length)}`
}

/** Returns a text of `length` random letters and digits, each with 5.9 bits of randomness. */
export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}

/** Returns the id of a reference, which in the SDK's types is an id or an expanded object. Throws for null. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string {
  if (typeof reference === 'string') return reference
  if (reference) return reference.id
  throw new Error('A stored object lacks a required reference')
}
