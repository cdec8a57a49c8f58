import type { InvoicePart } from '#contracts/invoices/invoice-detail.ts'
import type { InputOf } from '#contracts/commands/command.ts'
import type { CounterMethod } from '#contracts/payments/counter-commands.ts'
import type { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { RefundWay } from '#domain/payments/correction-text.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import {
  checkSum,
  missingReason,
  problemsOf,
  textProblem,
} from '#web/dashboard/kit/corrections/check-fields.ts'
import type { LedgerLine } from '../detail-text.ts'

/** The choices and the typed values of the panel 'Refund'. */
export type RefundForm = {
  readonly paymentId: string
  /**
   * 'all' refunds the amount of the payment that is not refunded yet, 'parts' refunds the jobs or lines in `parts`, and
   * 'sum' refunds the typed `amount`.
   */
  readonly scope: 'all' | 'parts' | 'sum'
  readonly parts: readonly string[]
  readonly amount: string
  /** The refund method; '' for the original payment method. */
  readonly method: CounterMethod | ''
  readonly reference: string
  readonly reason: string
  readonly receipt: RefundReceipt
}

/** The way in which the customer gets the receipt of a refund. */
export type RefundReceipt = 'email' | 'print' | 'none'

/** The amounts, in cents, that staff can still refund: of one payment, and of each job or line of its invoice. */
export type RefundSource = {
  readonly payment: LedgerLine
  /** The amount, in cents, by which cash rounding changed the payment. */
  readonly roundingCents: number
  readonly parts: readonly InvoicePart[]
}

export type RefundOrder = InputOf<typeof invoiceCommands.refund>

/** Error messages by field; empty when there are no errors. */
type Errors = Partial<Record<'parts' | 'amount' | 'reference' | 'reason', string>>

/** The payments that are not fully refunded yet, newest first. */
export const refundable = (ledger: readonly LedgerLine[]): readonly LedgerLine[] =>
  ledger.filter(({ leftCents }) => leftCents > 0).toReversed()

/** Returns the refundable amounts of a payment and of the jobs or lines of its invoice. */
export function refundSource(
  invoice: { readonly ledger: readonly LedgerLine[]; readonly parts: readonly InvoicePart[] },
  payment: LedgerLine,
): RefundSource {
  const roundings = invoice.ledger.filter(
    ({ kind, originalId }) => kind === 'cash_rounding' && originalId === payment.id,
  )
  const roundingCents = roundings.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return { payment, roundingCents, parts: invoice.parts.filter(({ leftCents }) => leftCents > 0) }
}

/**
 * The price, in cents, of the jobs or lines that staff want to refund. If the price differs from the refundable amount
 * of the payment only by cash rounding, returns the refundable amount.
 */
export function sumOfParts(
  keys: readonly string[],
  { payment, roundingCents, parts }: RefundSource,
): number {
  const chosen = parts.filter(({ key }) => keys.includes(key))
  const sum = chosen.reduce((total, { leftCents }) => total + leftCents, 0)
  return sum === payment.leftCents + roundingCents ? payment.leftCents : sum
}

/** Returns the sum to refund, in cents, or the error messages by field. */
function checkCents(form: RefundForm, source: RefundSource): Result<number, Errors> {
  const { leftCents } = source.payment
  if (form.scope === 'all') return accepted(leftCents)
  if (form.scope === 'sum') {
    const tooMuch = (most: string) => `Only ${most} of this payment can still be refunded.`
    const sum = checkSum(form.amount, leftCents, tooMuch)
    return sum.ok ? sum : refused({ amount: sum.refusal })
  }
  const cents = sumOfParts(form.parts, source)
  if (cents === 0) return refused({ parts: 'Choose at least one job or line.' })
  if (cents <= leftCents) return accepted(cents)
  const left = formatCents(leftCents)
  return refused({
    parts: `Only ${left} of this payment can still be refunded. Refund your choice in two steps.`,
  })
}

/** The sum to refund, in cents; undefined while the choice or the typed sum is invalid. */
export function refundCents(form: RefundForm, source: RefundSource): number | undefined {
  const sum = checkCents(form, source)
  return sum.ok ? sum.value : undefined
}

/** Returns the input of the command that saves the refund, or the error messages by field. */
export function checkRefund(form: RefundForm, source: RefundSource): Result<RefundOrder, Errors> {
  const { payment } = source
  const sum = checkCents(form, source)
  const way = form.method === payment.method ? '' : form.method
  const reference = form.reference.trim()
  const reason = form.reason.trim()
  const errors: Errors = {
    ...(sum.ok ? {} : sum.refusal),
    ...problemsOf({
      reference: way === '' ? undefined : textProblem(reference, missingReferences[way]),
      reason: textProblem(reason, missingReason),
    }),
  }
  if (!sum.ok || Object.keys(errors).length > 0) return refused(errors)
  return accepted({
    paymentId: payment.id,
    amountCents: sum.value,
    partKeys: form.scope === 'parts' ? [...form.parts] : null,
    method: way === '' ? null : way,
    reference: way === '' ? null : reference,
    reason,
    notifies: form.receipt === 'email',
  })
}

/**
 * The error messages for an empty reference field, by refund method. A refund with another method than the payment
 * requires a reference.
 */
export const missingReferences: Readonly<Record<CounterMethod, string>> = {
  card_terminal: 'Please enter why the refund does not use the original payment method.',
  cash: 'Please enter why the refund does not use the original payment method.',
  check: 'Enter the check number.',
  other: 'Enter the refund method, like bank transfer.',
}

/**
 * The label of the field for a reference, such as a check number. The form shows this field if the refund uses another
 * method than the payment.
 */
export const referenceLabels: Readonly<Record<CounterMethod, string>> = {
  card_terminal: 'Why by terminal',
  cash: 'Why in cash',
  check: 'Check number',
  other: 'How',
}

/** The payment method that the email about the refund names. */
export function refundWay(form: RefundForm, { method, reference }: LedgerLine): RefundWay {
  return form.method === ''
    ? { method, reference, isSameWay: true }
    : { method: form.method, reference: form.reference.trim() || null, isSameWay: false }
}

/** The method of a refund, in words that follow a sum: 'in cash'. */
export const refundWays: Readonly<Record<PaymentMethod, string>> = {
  card_online: 'to the card',
  card_terminal: 'by terminal',
  cash: 'in cash',
  check: 'by check',
  other: '',
}
