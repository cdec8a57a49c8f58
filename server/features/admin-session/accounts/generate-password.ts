import { randomInt } from 'node:crypto'

/** The 32 characters that passwords contain, without characters that look alike; each character has 5 random bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Generates a password of 100 random bits in five groups, which people can read from a screen and type easily. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}
