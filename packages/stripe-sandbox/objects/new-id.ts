import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An id like the processor's: a prefix that tells the kind, and letters nobody can guess. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${randomText(length)}`
}

/** `length` random letters and digits (5.9 bits each). */
export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}

/** The id behind a field that may also hold the expanded object. Stored objects only hold ids. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string {
  if (typeof reference === 'string') return reference
  if (reference) return reference.id
  throw new Error('An object of the sandbox misses a reference')
}
