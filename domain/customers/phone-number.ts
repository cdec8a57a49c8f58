/** A telephone number as pages show and dial it. */
export type PhoneNumber = { display: string; href: string; e164: string }

/**
 * How a stored number ('+16505550142', E.164) is shown and dialled: a North American one as '(650) 555-0142',
 * any other as it is stored.
 */
export function phoneNumber(e164: string): PhoneNumber {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164) ?? []
  const display = area === undefined ? e164 : `(${area}) ${exchange}-${line}`
  return { display, href: `tel:${e164}`, e164 }
}

/**
 * What was typed as E.164, or null when it cannot be dialled from everywhere: ten digits are North American,
 * a leading '+' or the country code 1 may stand before them; other countries are typed with their '+'.
 */
export function parsePhone(input: string): string | null {
  if (!/^[+\d\s().\-/]+$/.test(input)) return null
  const digits = input.replaceAll(/\D/g, '')
  if (input.trim().startsWith('+')) return /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : null
  const [, national] = /^1?([2-9]\d{9})$/.exec(digits) ?? []
  return national === undefined ? null : `+1${national}`
}
