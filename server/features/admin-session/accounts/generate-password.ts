import { randomInt } from 'node:crypto'

/** 32 characters that cannot be mistaken for each other, 5 bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 100 bits in five groups, easy to read off a screen and type. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}
