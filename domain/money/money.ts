/*
 * The product stores and calculates every amount in whole cents. These functions parse decimal text digit by digit,
 * because floating-point numbers are inexact (0.1 + 0.2, 19.99 × 3).
 */

/** The largest amount in cents that Stripe accepts: $999,999.99. */
export const maximumCents = 99_999_999

const decimalText = /^(\d*)(?:\.(\d*))?$/

/**
 * Parses an amount in dollars to cents: '19.99' → 1999, '$1,234.5' → 123450, '.5' → 50; a third decimal rounds half up
 * ('0.005' → 1). For a number, parses its shortest decimal text. Undefined when the input is not an amount, is
 * negative, or is above `maximumCents`.
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

/**
 * Converts cents to dollars for JSON: 1999 → 19.99. The function parses the number from decimal text, so that no
 * floating-point division rounds it.
 */
export function centsToDollars(cents: number): number {
  const digits = String(cents).padStart(3, '0')
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
}
