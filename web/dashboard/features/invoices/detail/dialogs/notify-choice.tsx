import type { ReactNode } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'

type Props = {
  invoice: InvoiceDetail
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  /** The text of the email that the customer gets, if the box is checked. */
  children: ReactNode
}

/** The checkbox with which staff choose whether the customer gets an email, and the text of that email. */
export function NotifyChoice({ invoice, isChecked, onChange, children }: Props) {
  if (invoice.customerEmail === null) {
    return <p className="hint">The customer has no email address, so nothing is sent.</p>
  }
  return (
    <label className="notify-choice">
      <input
        type="checkbox"
        name="notifies"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <b>Notify the customer by email</b>
      <small>
        “{children}” To {invoice.customerEmail}.
      </small>
    </label>
  )
}

/**
 * Returns a function that creates the sentence of a toast about the email to the customer; '' if staff requested no
 * email.
 */
export function useEmailResult(): (isSent: boolean) => string {
  const canSendEmail = useCanSendEmail()
  return (isSent) => {
    if (!isSent) return ''
    return canSendEmail ? 'The customer gets an email.' : messageInOutbox
  }
}
