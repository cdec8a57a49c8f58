import type { ReactNode } from 'react'
import type { RefundReceipt } from './refund-form.ts'

const choices: readonly { receipt: RefundReceipt; name: string }[] = [
  { receipt: 'email', name: 'Email' },
  { receipt: 'print', name: 'Print' },
  { receipt: 'none', name: 'None' },
]

type Props = {
  email: string | null
  chosen: RefundReceipt
  onChoose: (receipt: RefundReceipt) => void
  /** The text of the email, as the customer reads it. */
  children: ReactNode
}

/** The choice how the customer gets the receipt of a refund, with the text of the email. */
export function RefundReceiptChoice({ email, chosen, onChoose, children }: Props) {
  return (
    <fieldset className="refund-receipt">
      <legend className="field-label">Receipt</legend>
      <div className="refund-choice">
        {choices.map(({ receipt, name }) => (
          <label key={receipt}>
            <input
              type="radio"
              name="receipt"
              checked={receipt === chosen}
              disabled={receipt === 'email' && email === null}
              onChange={() => onChoose(receipt)}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
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
  if (receipt === 'print') return 'Printed after the refund is recorded.'
  return email === null ? 'No email address. Nothing is sent.' : 'Nothing is sent.'
}
