import { cleanLine } from './typed-text.ts'

/** Whether a typed text can stand where a letter needs an address; the database holds the same. */
export function isEmailAddress(typed: string): boolean {
  return /^[^@\s<>",;]+@[^@\s<>",;]+$/.test(cleanLine(typed))
}
