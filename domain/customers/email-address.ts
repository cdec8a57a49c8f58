import { cleanLine } from '#domain/text/text-input.ts'

/** Whether a typed text can stand where a letter needs an address; the database holds the same. */
export function isEmailAddress(input: string): boolean {
  return /^[^@\s<>",;]+@[^@\s<>",;]+$/.test(cleanLine(input))
}
