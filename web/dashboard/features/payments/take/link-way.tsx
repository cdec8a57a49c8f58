import { useState } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { MethodIcon } from '#web/dashboard/kit/payments/method-icon.tsx'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button/button.tsx'

/** The address at which the customer pays the invoice online. */
const payAddress = ({ number }: ListedInvoice) =>
  new URL(`${paths.payInvoice}?invoice=${encodeURIComponent(number ?? '')}`, location.origin).href

/** For the way 'Link': the pay address, for the customer's own phone or for an email written by hand. */
export function LinkWay({ invoice }: { invoice: ListedInvoice }) {
  return (
    <div className="pay-link">
      <p className="pay-label">Pay address</p>
      <p>
        <a className="touch-link" href={payAddress(invoice)} target="_blank" rel="noreferrer">
          {payAddress(invoice)}
        </a>
      </p>
      <p className="hint">
        The customer pays <b>{formatCents(invoice.balanceCents, invoice.currency)}</b> on their own
        phone. This page shows it within a second. Nothing is emailed from here: copy the link into
        your own message.
      </p>
    </div>
  )
}

/** Copies the pay address, and says whether the browser allowed it. */
export function CopyLink({ invoice }: { invoice: ListedInvoice }) {
  const [result, setResult] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(payAddress(invoice)).then(
      () => setResult('Copied.'),
      () => setResult('The browser did not allow it. Select the address above.'),
    )
  return (
    <>
      <Button compact large level="primary" onClick={() => void copy()}>
        <MethodIcon method="link" />
        Copy link for {formatCents(invoice.balanceCents, invoice.currency)}
      </Button>
      <p role="status">{result}</p>
    </>
  )
}
