import { useId } from 'react'
import { Segments } from '#web/dashboard/kit/controls/segments.tsx'
import type { Receipt } from './use-payment-form.ts'

const choices = [
  ['email', 'Email'],
  ['print', 'Print'],
  ['none', 'None'],
] as const

type Props = { email: string | null; chosen: Receipt; onChoose: (receipt: Receipt) => void }

/** Lets staff choose how the customer gets the receipt. Without an email address, the choice 'Email' is disabled. */
export function ReceiptChoice({ email, chosen, onChoose }: Props) {
  const titleId = useId()
  return (
    <div>
      <p className="pay-label" id={titleId}>
        Receipt
      </p>
      <Segments
        name="receipt"
        labelledBy={titleId}
        className="pay-receipts"
        choices={choices}
        chosen={chosen}
        onChoose={onChoose}
        isDisabled={(receipt) => receipt === 'email' && email === null}
      />
      <p className="hint">{hintOf(chosen, email)}</p>
    </div>
  )
}

function hintOf(receipt: Receipt, email: string | null): string {
  if (receipt === 'print') return 'The receipt prints after the payment is taken.'
  if (receipt === 'email') return `To ${email}`
  return email === null
    ? 'The customer has no email address, so nothing is sent.'
    : 'Nothing is sent.'
}
