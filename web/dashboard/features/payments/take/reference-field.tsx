import { ledgerTextLimits } from '#contracts/payments/counter-commands.ts'
import { cardNumberMessage, type PaymentField } from '#domain/payments/payment-form.ts'
import { containsCardNumber } from '#domain/payments/card-number.ts'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import type { PaymentInput } from './use-payment-form.ts'

const fields = {
  card_terminal: {
    label: (
      <>
        Last four digits <span className="pay-optional">(optional)</span>
      </>
    ),
    hint: 'Charge the card on the terminal first, then record the payment here. Never type a card number.',
    isRequired: false,
  },
  check: {
    label: 'Check number',
    hint: 'A returned check is recorded later as a reversal.',
    isRequired: true,
  },
  other: { label: 'What it is', hint: undefined, isRequired: true },
} as const

/**
 * The reference that identifies the payment: the number of a check, the name of another method, or the last digits of a
 * card at the terminal.
 */
export function ReferenceField({ input }: { input: PaymentInput }) {
  const { way, values } = input
  if (way === 'cash' || way === 'link') return null
  const { label, hint, isRequired } = fields[way]
  return (
    <Input
      name="reference"
      label={label}
      hint={hint}
      required={isRequired}
      inputMode={way === 'other' ? 'text' : 'numeric'}
      autoComplete="off"
      maxLength={ledgerTextLimits.reference}
      value={values.reference}
      error={errorOf(input, 'reference')}
      onChange={({ target }) => input.setReference(target.value)}
      onBlur={() => removeCardNumber(input, 'reference')}
    />
  )
}

/** The optional note on the payment. The field is collapsed until staff open it. */
export function NoteField({ input }: { input: PaymentInput }) {
  return (
    <details className="pay-note">
      <summary>Note (optional)</summary>
      <TextArea
        name="note"
        label={<span className="visually-hidden">Note</span>}
        rows={2}
        maxLength={ledgerTextLimits.note}
        value={input.values.note}
        error={errorOf(input, 'note')}
        onChange={({ target }) => input.change({ note: target.value })}
        onBlur={() => removeCardNumber(input, 'note')}
      />
    </details>
  )
}

/** The error message of a field; undefined without an error. */
export const errorOf = ({ refusal }: PaymentInput, field: PaymentField) =>
  refusal?.field === field ? refusal.message : undefined

/** Removes a typed card number from the field immediately, so that nobody reads the number on the screen. */
function removeCardNumber(input: PaymentInput, field: 'reference' | 'note'): void {
  if (!containsCardNumber(input.values[field])) return
  const isDigits = field === 'reference' && input.way === 'card_terminal'
  const message = isDigits
    ? `${cardNumberMessage} Enter the last four digits only.`
    : cardNumberMessage
  input.refuse({ field, message })
}
