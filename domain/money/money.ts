/*
 * Money is whole cents from the input on; decimal text is read digit by digit, never through a floating
 * point number (0.1 + 0.2, 19.99 × 3).
 */

/** The largest amount that the payment processor takes: $999,999.99. */
export const maximumCents = 99_999_999

const decimalText = /^(\d*)(?:\.(\d*))?$/

/**
 * '19.99' → 1999, '$1,234.5' → 123450, '.5' → 50; a third digit rounds half up ('0.005' → 1). A number
 * is read as its shortest decimal text. Undefined when it is no amount, is negative, or is above
 * `maximumCents`.
 */
export function parseCents(amount: string | number): number | undefined {
  const text = String(amount)
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/,(?=\d{3}(?!\d))/g, '')
  const [matched, whole = '', fraction = ''] = decimalText.exec(text) ?? []
  if (matched === undefined || whole + fraction === '') return undefined
  if (whole.replace(/^0+/, '').length > 9) return undefined
  const thousandths = Number(whole) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  const cents = Math.floor((thousandths + 5) / 10)
  return cents <= maximumCents ? cents : undefined
}

/** 1999 → 19.99: the number that JSON writes with those digits. Put together as text, nothing is computed. */
export function centsToDollars(cents: number): number {
  const digits = String(cents).padStart(3, '0')
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
}
