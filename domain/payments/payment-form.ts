import { formatCents } from '#domain/money/format-cents.ts'
import { parseCents } from '#domain/money/money.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { containsCardNumber } from './card-number.ts'
import { cashDueCents } from './cash.ts'

/** The methods of the payments that staff record at the counter. */
type Method = 'card_terminal' | 'cash' | 'check' | 'other'

/** The values that staff type in the panel 'Take payment'. */
export type PaymentForm = {
  readonly method: Method
  readonly amount: string
  /** The cash that the customer hands over; empty for the exact amount. */
  readonly given: string
  readonly reference: string
  readonly note: string
}

export type PaymentField = 'amount' | 'given' | 'reference' | 'note'

export type PaymentRefusal = {
  readonly field: PaymentField
  readonly message: string
}

type CheckedPayment = {
  readonly amountCents: number
  readonly givenCents: number | null
  readonly reference: string | null
  readonly note: string | null
}

type Payable = { readonly balanceCents: number; readonly rounds: boolean }

/** Parses a typed amount to cents. Undefined for more than two decimals, which nobody can pay. */
export function parseAmount(text: string): number | undefined {
  return /\.\d{3}/.test(text) ? undefined : parseCents(text)
}

/** Returns the payment to record, or the first error of the form (docs/product.md 17.9). */
export function checkPayment(
  form: PaymentForm,
  payable: Payable,
): Result<CheckedPayment, PaymentRefusal> {
  const amount = checkAmount(form, payable.balanceCents)
  if (!amount.ok) return amount
  const given = checkGiven(form, { ...payable, amountCents: amount.value })
  if (!given.ok) return given
  const reference = form.reference.trim()
  const note = form.note.trim()
  const message = referenceProblem(form.method, reference)
  if (message) return refused({ field: 'reference', message })
  if (containsCardNumber(note)) return refused({ field: 'note', message: cardNumberMessage })
  const usesReference = form.method !== 'cash' && reference !== ''
  return accepted({
    amountCents: amount.value,
    givenCents: given.value,
    reference: usesReference ? reference : null,
    note: note || null,
  })
}

/**
 * Returns a typed amount in cents; refuses the amount 0, an amount above the balance, and any text that is not an
 * amount.
 */
export function checkAmount(
  { amount, method }: Pick<PaymentForm, 'amount' | 'method'>,
  balanceCents: number,
): Result<number, PaymentRefusal> {
  const cents = parseAmount(amount)
  const refuse = (message: string) => refused({ field: 'amount' as const, message })
  if (cents === undefined) return refuse('Enter an amount in dollars and cents, like 498.57.')
  if (cents === 0) return refuse('Enter an amount above 0.')
  if (cents > balanceCents) return refuse(aboveBalanceMessage(cents, balanceCents, method))
  return accepted(cents)
}

/** The message for an amount above the balance. For cash, the message also states the change that staff give back. */
export function aboveBalanceMessage(cents: number, balanceCents: number, method: Method): string {
  const balance = formatCents(balanceCents)
  const change = formatCents(cents - balanceCents)
  const way = method === 'cash' ? ` and give ${change} change` : ' or less'
  return `The balance is ${balance}. Enter ${balance.slice(1)}${way}.`
}

function checkGiven(
  { method, given }: PaymentForm,
  payable: Payable & { amountCents: number },
): Result<number | null, PaymentRefusal> {
  if (method !== 'cash' || given.trim() === '') return accepted(null)
  const cents = parseAmount(given)
  const refuse = (message: string) => refused({ field: 'given' as const, message })
  if (cents === undefined) return refuse('Enter the cash that the customer gave, like 500.')
  const missing = cashDueCents(payable) - cents
  return missing > 0 ? refuse(`${formatCents(missing)} is still missing.`) : accepted(cents)
}

export const cardNumberMessage =
  'The text looked like a card number, so it was removed and not saved.'

function referenceProblem(method: Method, reference: string): string | undefined {
  if (method === 'cash') return undefined
  if (containsCardNumber(reference)) {
    return method === 'card_terminal'
      ? `${cardNumberMessage} Enter the last four digits only.`
      : cardNumberMessage
  }
  if (method === 'card_terminal') {
    return reference === '' || /^\d{4}$/.test(reference)
      ? undefined
      : 'Enter the last four digits only.'
  }
  if (reference !== '') return undefined
  return method === 'check'
    ? 'Enter the check number.'
    : 'Enter the payment method, like bank transfer.'
}
