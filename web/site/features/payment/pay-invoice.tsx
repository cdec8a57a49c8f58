import { useEffect, useRef } from 'react'
import './payment.css'
import { lookupErrors } from '#contracts/invoices/lookup-errors.ts'
import { useShop } from '#web/lib/shop.ts'
import { useHydrated } from '#web/lib/browser/use-hydrated.ts'
import { useLocation } from '#web/site/router.tsx'
import { NoScriptNotice } from '#web/ui/notice/no-script-notice.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import type { LookupInput } from './find-invoice.ts'
import { InvoiceNumberForm } from './invoice-number-form.tsx'
import { InvoiceView } from './invoice-view.tsx'
import { SecurePayment } from './secure-payment.tsx'
import { useInvoiceLookup } from './use-invoice-lookup.ts'

/** Lets the visitor find, view and pay an invoice. */
export function PayInvoice() {
  const [{ isLooking, found, fieldErrors, failure }, lookUp] = useInvoiceLookup()
  const { search } = useLocation()
  const number = useHydrated() ? (new URLSearchParams(search).get('invoice') ?? '') : ''
  useLinkedInvoice(number, lookUp)
  return (
    <>
      <NoScriptNotice />
      <div className="pay-columns">
        <InvoiceNumberForm
          suggested={number.slice(0, 40)}
          isLooking={isLooking}
          errors={fieldErrors}
          onSubmit={lookUp}
        />
        {failure && (
          <div className="invoice-view">
            <Notice tone="bad" title={failure}>
              {failure === lookupErrors.NOT_FOUND.message && (
                <p>
                  Our invoice numbers end in six letters or digits, for example
                  INV-2026-0042-7K3QXR.
                </p>
              )}
            </Notice>
          </div>
        )}
        {found && (
          <>
            <SecurePayment
              key={found.invoice.id}
              invoice={found.invoice}
              isTestMode={found.isTestMode}
            />
            <InvoiceView key={`view ${found.invoice.id}`} invoice={found.invoice} />
          </>
        )}
      </div>
    </>
  )
}

/**
 * Opens the invoice that the URL names, without a press of a button: after the visitor opened a link in an email, or
 * cancelled a checkout. The invoice number remains in the form. If the shop requires the customer's email address for a
 * lookup, the page first asks for this email address.
 */
function useLinkedInvoice(number: string, lookUp: (input: LookupInput) => void): void {
  const { requiresInvoiceEmail } = useShop().rules
  const opened = useRef('')
  useEffect(() => {
    if (number === opened.current || requiresInvoiceEmail) return
    opened.current = number
    lookUp({ invoiceNumber: number })
  })
}
