import type { InputOf } from '#contracts/commands/command.ts'
import type { CounterMethod } from '#contracts/payments/counter-commands.ts'
import type { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { checkSum, missingReason, problemsOf, textProblem } from './check-fields.ts'
import type { LedgerLine } from '../detail-text.ts'

/** What staff chose and typed into 'Refund'. */
export type RefundForm = {
  readonly paymentId: string
  /** Whether everything that the payment has left goes back, instead of `amount`. */
  readonly isAll: boolean
  readonly amount: string
  /** '' for the way it came. */
  readonly method: CounterMethod | ''
  readonly reference: string
  readonly reason: string
  readonly notifies: boolean
}

export type RefundOrder = InputOf<typeof invoiceCommands.refund>

/** Messages by field; empty when there is none. */
type Errors = Partial<Record<'amount' | 'reference' | 'reason', string>>

/** The payments of a ledger that have something left to return, newest first. */
export const refundable = (ledger: readonly LedgerLine[]): readonly LedgerLine[] =>
  ledger.filter(({ leftCents }) => leftCents > 0).toReversed()

/** The sum that goes back; undefined while the typed one is no valid sum. */
export function refundCents(form: RefundForm, { leftCents }: LedgerLine): number | undefined {
  const sum = form.isAll ? accepted(leftCents) : checkSum(form.amount, leftCents, () => '')
  return sum.ok ? sum.value : undefined
}

/** The refund to record, or the messages for the fields. */
export function checkRefund(form: RefundForm, payment: LedgerLine): Result<RefundOrder, Errors> {
  const { leftCents, id } = payment
  const sum = form.isAll
    ? accepted(leftCents)
    : checkSum(form.amount, leftCents, (most) => `This payment has ${most} left to refund.`)
  const way = form.method === payment.method ? '' : form.method
  const reference = form.reference.trim()
  const reason = form.reason.trim()
  const errors = problemsOf({
    amount: sum.ok ? undefined : sum.refusal,
    reference: way === '' ? undefined : textProblem(reference, missingReferences[way]),
    reason: textProblem(reason, missingReason),
  })
  if (!sum.ok || Object.keys(errors).length > 0) return refused(errors)
  return accepted({
    paymentId: id,
    amountCents: sum.value,
    method: way === '' ? null : way,
    reference: way === '' ? null : reference,
    reason,
    notifies: form.notifies,
  })
}

const missingReferences: Readonly<Record<CounterMethod, string>> = {
  card_terminal: 'Please say why it goes back another way.',
  cash: 'Please say why it goes back another way.',
  check: 'Enter the check number.',
  other: 'Enter how it goes back, like bank transfer.',
}

/** The label of the refund's reference for a way other than the one it came. */
export const referenceLabels: Readonly<Record<CounterMethod, string>> = {
  card_terminal: 'Why by terminal',
  cash: 'Why in cash',
  check: 'Check number',
  other: 'How',
}

/** How money goes back, behind a sum: 'in cash'. */
export const refundWays: Readonly<Record<PaymentMethod, string>> = {
  card_online: 'to the card',
  card_terminal: 'by terminal',
  cash: 'in cash',
  check: 'by check',
  other: '',
}
