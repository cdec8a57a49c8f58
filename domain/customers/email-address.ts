import { cleanLine } from '#domain/text/text-input.ts'

/** Returns whether a text is an email address to which the shop can send email. The database applies the same check. */
export function isEmailAddress(input: string): boolean {
  return /^[^@\s<>",;]+@[^@\s<>",;]+$/.test(cleanLine(input))
}
