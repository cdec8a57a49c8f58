import { randomInt } from 'node:crypto'

/**
 * The 32 characters from which passwords are generated, without characters that look alike. Each character adds 5
 * random bits.
 */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Generates a password of 100 random bits in five groups, which people can read from a screen and type easily. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}
