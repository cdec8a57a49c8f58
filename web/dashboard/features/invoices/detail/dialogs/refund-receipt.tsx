import type { ReactNode } from 'react'
import { Segments } from '#web/dashboard/kit/controls/segments.tsx'
import type { RefundReceipt } from './refund-form.ts'

const choices = [
  ['email', 'Email'],
  ['print', 'Print'],
  ['none', 'None'],
] as const

type Props = {
  email: string | null
  chosen: RefundReceipt
  onChoose: (receipt: RefundReceipt) => void
  /** The text of the email with which the customer gets the receipt. */
  children: ReactNode
}

/**
 * The choice how the customer gets the receipt of a refund, by email, on paper or not at all, with the text of the
 * email.
 */
export function RefundReceiptChoice({ email, chosen, onChoose, children }: Props) {
  return (
    <fieldset className="refund-receipt">
      <legend className="field-label">Receipt</legend>
      <Segments
        name="receipt"
        className="refund-choice"
        choices={choices}
        chosen={chosen}
        onChoose={onChoose}
        isDisabled={(receipt) => receipt === 'email' && email === null}
      />
      {chosen === 'email' ? (
        <div className="refund-email">
          <small>The customer gets this by email, {email}</small>
          <p>{children}</p>
        </div>
      ) : (
        <p className="hint">{hintOf(chosen, email)}</p>
      )}
    </fieldset>
  )
}

function hintOf(receipt: RefundReceipt, email: string | null): string {
  if (receipt === 'print') return 'The receipt prints after the refund is recorded.'
  return email === null
    ? 'The customer has no email address, so nothing is sent.'
    : 'Nothing is sent.'
}
