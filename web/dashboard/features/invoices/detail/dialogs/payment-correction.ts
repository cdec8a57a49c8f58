import type { InputOf } from '#contracts/commands/command.ts'
import type { CounterMethod } from '#contracts/payments/counter-commands.ts'
import type { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { LedgerLine } from '../detail-text.ts'
import {
  checkSum,
  problemsOf,
  sumText,
  textProblem,
} from '#web/dashboard/kit/corrections/check-fields.ts'

/** What staff typed into 'Recorded wrongly'. */
export type PaymentCorrection = {
  readonly method: CounterMethod
  readonly amount: string
  readonly reference: string
  readonly reason: string
}

type Order = InputOf<typeof invoiceCommands.correctPayment>
type Errors = Partial<Record<'method' | 'amount' | 'reference' | 'reason', string>>

/** The form with the payment as it was recorded. */
export const startCorrection = (payment: LedgerLine): PaymentCorrection => ({
  method: payment.method === 'card_online' ? 'card_terminal' : payment.method,
  amount: sumText(payment.amountCents),
  reference: payment.reference ?? '',
  reason: '',
})

/** The label of the reference; undefined for cash, which has none. */
export const correctionReference: Readonly<
  Record<CounterMethod, { label: string; missing: string } | undefined>
> = {
  card_terminal: { label: 'Last four digits (optional)', missing: '' },
  cash: undefined,
  check: { label: 'Check number', missing: 'Enter the check number.' },
  other: { label: 'How', missing: 'Enter how it was paid, like bank transfer.' },
}

/** The correction to record, or the messages for the fields. `maximumCents` is the most that can be paid. */
export function checkCorrection(
  form: PaymentCorrection,
  payment: LedgerLine,
  maximumCents: number,
): Result<Order, Errors> {
  const sum = checkSum(form.amount, maximumCents, (most) => `At most ${most} can be paid.`)
  const asked = correctionReference[form.method]
  const reference = asked && form.reference.trim() ? form.reference.trim() : null
  const reason = form.reason.trim()
  const isSame =
    sum.ok &&
    sum.value === payment.amountCents &&
    form.method === payment.method &&
    reference === payment.reference
  const errors = problemsOf({
    method: isSame ? 'Change the way, the sum or the reference.' : undefined,
    amount: sum.ok ? undefined : sum.refusal,
    reference: asked && textProblem(reference ?? '', asked.missing),
    reason: textProblem(reason, 'Enter the reason.'),
  })
  if (!sum.ok || Object.keys(errors).length > 0) return refused(errors)
  const { method } = form
  return accepted({ paymentId: payment.id, method, amountCents: sum.value, reference, reason })
}
