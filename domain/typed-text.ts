/* What visitors type, as the database takes it. */

/** One line: pasted tabs, line breaks and other control characters become spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}

/** Several lines as they were typed; a NUL byte is the one character that PostgreSQL cannot store. */
export function manyLines(text: string): string {
  return text.replaceAll('\u0000', '').trim()
}

/** What is optional and was left empty is not known. */
export function orNull(text: string): string | null {
  return text === '' ? null : text
}
