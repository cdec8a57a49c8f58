/** A phone number: the text that pages display, the link that dials the number, and the number in E.164. */
export type PhoneNumber = { display: string; href: string; e164: string }

/**
 * The display text and the link of a phone number stored in E.164 ('+16505550142'): a North American number is
 * displayed as '(650) 555-0142', any other number as stored.
 */
export function phoneNumber(e164: string): PhoneNumber {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164) ?? []
  const display = area === undefined ? e164 : `(${area}) ${exchange}-${line}`
  return { display, href: `tel:${e164}`, e164 }
}

/**
 * Converts an entered phone number to E.164. Ten digits, with or without the country code 1, are a North American
 * number; numbers of other countries must begin with '+'. Null for any other input.
 */
export function parsePhone(input: string): string | null {
  if (!/^[+\d\s().\-/]+$/.test(input)) return null
  const digits = input.replaceAll(/\D/g, '')
  if (input.trim().startsWith('+')) return /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : null
  const [, national] = /^1?([2-9]\d{9})$/.exec(digits) ?? []
  return national === undefined ? null : `+1${national}`
}
