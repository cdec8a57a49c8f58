import { formatCents } from '#domain/money/format-cents.ts'
import { containsCardNumber } from '#domain/payments/card-number.ts'
import { parseAmount } from '#domain/payments/payment-form.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/**
 * Returns the amount that staff typed, in cents, or the error message for invalid input. `tooMuch` returns the message
 * for an amount above the maximum.
 */
export function checkSum(
  text: string,
  maximumCents: number,
  tooMuch: (maximum: string) => string,
): Result<number, string> {
  const cents = parseAmount(text)
  if (cents === undefined) return refused('Enter an amount in dollars and cents, like 86.20.')
  if (cents === 0) return refused('Enter an amount above 0.')
  return cents > maximumCents ? refused(tooMuch(formatCents(maximumCents))) : accepted(cents)
}

/** An amount in cents as the value of an input: 19890 → '198.90'. */
export const sumText = (cents: number) => formatCents(cents).replaceAll(/[$,]/g, '')

export const missingReason = 'Enter the reason, which the customer reads.'

/**
 * Returns the error message for a typed text: the message `missing` if the text is empty, another message if the text
 * looks like a card number. Returns undefined for a valid text.
 */
export function textProblem(text: string, missing: string): string | undefined {
  if (text.trim() === '') return missing || undefined
  return containsCardNumber(text)
    ? 'This text looks like a card number. Remove the number.'
    : undefined
}

/** Returns the error messages by field. Fields without an error are left out. */
export function problemsOf<Field extends string>(
  messages: Readonly<Record<Field, string | undefined>>,
): Partial<Record<Field, string>> {
  const problems = Object.entries(messages).filter(([, message]) => message !== undefined)
  return Object.fromEntries(problems) as Partial<Record<Field, string>>
}
