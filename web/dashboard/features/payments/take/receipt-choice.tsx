import { useId } from 'react'
import type { Receipt } from './use-payment-form.ts'

const choices: readonly { receipt: Receipt; name: string }[] = [
  { receipt: 'email', name: 'Email' },
  { receipt: 'print', name: 'Print' },
  { receipt: 'none', name: 'None' },
]

type Props = { email: string | null; chosen: Receipt; onChoose: (receipt: Receipt) => void }

/** The choice how the customer gets the receipt. Without an email address, the choice 'Email' is disabled. */
export function ReceiptChoice({ email, chosen, onChoose }: Props) {
  const titleId = useId()
  return (
    <div>
      <p className="pay-label" id={titleId}>
        Receipt
      </p>
      <div className="pay-receipts" role="radiogroup" aria-labelledby={titleId}>
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
      <p className="hint">{hintOf(chosen, email)}</p>
    </div>
  )
}

function hintOf(receipt: Receipt, email: string | null): string {
  if (receipt === 'print') return 'Printed after the payment is taken.'
  if (receipt === 'email') return `To ${email}`
  return email === null ? 'No email address. Nothing is sent.' : 'Nothing is sent.'
}
