import { randomInt } from 'node:crypto'

/** 32 characters, none of which looks like another: 5 bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 100 bits in five groups of four, to be read off a screen and typed. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}
