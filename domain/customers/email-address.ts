import { cleanLine } from '#domain/text/text-input.ts'

/** Whether a text is an email address that the shop can send to; the database makes the same check. */
export function isEmailAddress(input: string): boolean {
  return /^[^@\s<>",;]+@[^@\s<>",;]+$/.test(cleanLine(input))
}
