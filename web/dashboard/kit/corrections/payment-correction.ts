import type { CounterMethod } from '#contracts/payments/counter-commands.ts'
import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { checkSum, problemsOf, sumText, textProblem } from './check-fields.ts'

/** The values that staff typed into the dialog 'Recorded wrongly'. */
export type PaymentCorrection = {
  readonly method: CounterMethod
  readonly amount: string
  readonly reference: string
  readonly reason: string
}

/** A payment or a deposit as staff recorded it. */
type Recorded = {
  readonly method: PaymentMethod
  readonly amountCents: number
  readonly reference: string | null
}

type Limits = {
  readonly maximumCents: number
  /** Whether staff have chosen another invoice for the payment. In that case no other field needs to change. */
  readonly isMoved?: boolean
}

type Corrected = Recorded & { readonly method: CounterMethod; readonly reason: string }
type Errors = Partial<Record<keyof PaymentCorrection, string>>

/** Returns the initial values of the correction form, taken from the recorded payment. */
export const startCorrection = (payment: Recorded): PaymentCorrection => ({
  method: payment.method === 'card_online' ? 'card_terminal' : payment.method,
  amount: sumText(payment.amountCents),
  reference: payment.reference ?? '',
  reason: '',
})

/** The label of the reference field for each payment method; undefined for cash, which has no reference. */
export const correctionReference: Readonly<
  Record<CounterMethod, { label: string; missing: string } | undefined>
> = {
  card_terminal: { label: 'Last four digits (optional)', missing: '' },
  cash: undefined,
  check: { label: 'Check number', missing: 'Enter the check number.' },
  other: { label: 'How', missing: 'Enter the payment method, like bank transfer.' },
}

/** Returns the corrected payment, or the error messages of the invalid fields. */
export function checkCorrection(
  form: PaymentCorrection,
  payment: Recorded,
  { maximumCents, isMoved = false }: Limits,
): Result<Corrected, Errors> {
  const sum = checkSum(form.amount, maximumCents, (most) => `At most ${most} can be paid.`)
  const asked = correctionReference[form.method]
  const reference = asked && form.reference.trim() ? form.reference.trim() : null
  const reason = form.reason.trim()
  const isSame =
    !isMoved &&
    sum.ok &&
    sum.value === payment.amountCents &&
    form.method === payment.method &&
    reference === payment.reference
  const errors = problemsOf({
    method: isSame ? 'Change the method, the amount or the reference.' : undefined,
    amount: sum.ok ? undefined : sum.refusal,
    reference: asked && textProblem(reference ?? '', asked.missing),
    reason: textProblem(reason, 'Enter the reason.'),
  })
  if (!sum.ok || Object.keys(errors).length > 0) return refused(errors)
  return accepted({ method: form.method, amountCents: sum.value, reference, reason })
}
