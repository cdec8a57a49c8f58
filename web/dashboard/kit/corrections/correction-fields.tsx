import type { ReactNode } from 'react'
import { counterMethod } from '#contracts/payments/counter-commands.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import { correctionReference, type PaymentCorrection } from './payment-correction.ts'

/** The maximum lengths, in characters, of the fields of a correction. */
export const correctionLimits = { amount: 16, reference: 60, reason: 200 } as const

/** The fields of a correction: payment method, sum, reference and reason. `children` are further fields. */
export function CorrectionFields({
  form,
  values,
  children,
}: {
  form: Form<PaymentCorrection>
  values: PaymentCorrection
  children?: ReactNode
}) {
  const reference = correctionReference[values.method]
  return (
    <>
      <Select {...form.choice('method')} label="It was paid by" required>
        {counterMethod.options.map((method) => (
          <option key={method} value={method}>
            {methodNames[method]}
          </option>
        ))}
      </Select>
      <Input
        {...form.field('amount')}
        label="Amount, in dollars"
        required
        inputMode="decimal"
        autoComplete="off"
      />
      {reference && (
        <Input
          {...form.field('reference')}
          label={reference.label}
          required={reference.missing !== ''}
          autoComplete="off"
        />
      )}
      {children}
      <Input {...form.field('reason')} label="Reason" required />
    </>
  )
}
