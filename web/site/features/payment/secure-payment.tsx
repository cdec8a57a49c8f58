import { useEffect, useRef, useState } from 'react'
import { formatCents } from '#domain/money/format-cents.ts'
import type { FoundInvoice } from '#contracts/invoices/invoice-lookup.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { openCheckout } from './open-checkout.ts'
import '#web/ui/skeleton/spinner.css'

/** Explains the payment and shows the button that opens the checkout. */
export function SecurePayment({
  invoice,
  isTestMode,
}: {
  invoice: FoundInvoice
  isTestMode: boolean
}) {
  const { isOpening, failure, pay } = useCheckout(invoice)
  const section = useRef<HTMLElement>(null)
  // Focuses the payment section, so that the browser scrolls to it. On a phone the section is below the form that finds
  // the invoice.
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      className="card panel secure-payment"
      ref={section}
      tabIndex={-1}
      aria-labelledby="secure-payment"
    >
      <h2 id="secure-payment">
        <Icon name="lock" />
        Secure Payment
      </h2>
      <ul className="check-list">
        <li>Secure checkout by our card payment provider</li>
        <li>Automatic confirmation after payment</li>
        <li>Receipt by email included</li>
      </ul>
      {invoice.amountDue !== undefined && (
        <p className="amount-due">
          <span>Amount due</span>
          <b>{formatCents(invoice.amountDue, invoice.currency)}</b>
        </p>
      )}
      <Button level="primary" wide large disabled={isOpening} aria-busy={isOpening} onClick={pay}>
        {isOpening && <span className="spinner" aria-hidden="true" />}
        Pay Now
      </Button>
      <p className="visually-hidden" role="status">
        {isOpening && 'Opening the secure checkout'}
      </p>
      {failure && <Notice tone="bad" title={failure} />}
      {isTestMode && <Notice title="Test mode: no card is charged." />}
    </section>
  )
}

function useCheckout(invoice: FoundInvoice) {
  const [isOpening, setIsOpening] = useState(false)
  const [failure, setFailure] = useState<string>()

  // When the visitor returns from the checkout, the browser may restore this page with its button still busy. The
  // listener then enables the button again.
  useEffect(() => {
    const revive = (event: PageTransitionEvent) => event.persisted && setIsOpening(false)
    window.addEventListener('pageshow', revive)
    return () => window.removeEventListener('pageshow', revive)
  }, [])

  const open = async () => {
    setFailure(undefined)
    setIsOpening(true)
    const opened = await openCheckout(invoice.id)
    if (opened.ok) {
      // Adds the invoice number to the URL, so that a visitor who returns from the checkout need not type it again.
      if (invoice.number)
        history.replaceState(null, '', `?${new URLSearchParams({ invoice: invoice.number })}`)
      return window.location.assign(opened.value)
    }
    setIsOpening(false)
    setFailure(opened.refusal)
  }
  return { isOpening, failure, pay: () => void open() }
}
