import './payment.css'
import { useHydrated } from '#web/lib/browser/use-hydrated.ts'
import { useLocation } from '#web/site/router.tsx'
import { NoScriptNotice } from '#web/ui/notice/no-script-notice.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { InvoiceNumberForm } from './invoice-number-form.tsx'
import { InvoiceView } from './invoice-view.tsx'
import { SecurePayment } from './secure-payment.tsx'
import { useInvoiceLookup } from './use-invoice-lookup.ts'

/** Lets the visitor find, view and pay an invoice. */
export function PayInvoice() {
  const [{ isLooking, found, fieldErrors, failure }, lookUp] = useInvoiceLookup()
  const { search } = useLocation()
  // After a cancelled checkout the URL contains the invoice number, which saves the visitor from typing it again.
  const number = useHydrated() ? (new URLSearchParams(search).get('invoice') ?? '') : ''
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
            <Notice tone="bad" title={failure} />
          </div>
        )}
        {found && (
          <>
            <InvoiceView key={`view ${found.invoice.id}`} invoice={found.invoice} />
            <SecurePayment
              key={found.invoice.id}
              invoice={found.invoice}
              isTestMode={found.isTestMode}
            />
          </>
        )}
      </div>
    </>
  )
}
