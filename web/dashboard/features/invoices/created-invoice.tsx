import type { CreateInvoiceResponse } from '#contracts/invoices/invoices.ts'
import { invoiceFileName } from '#domain/invoices/invoice-file-name.ts'
import { messageInOutbox } from '#web/dashboard/kit/records/use-onboarding.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { InvoiceBadge } from './invoice-badge.tsx'

/** The green box that confirms a created invoice. */
export function CreatedInvoice(props: { created: CreateInvoiceResponse; onDismiss: () => void }) {
  const { invoice } = props.created
  const emailText = formatEmailResult(props.created)
  return (
    <section className="created-invoice" role="status">
      <h3>
        <Icon name="check" />
        {invoice.number ? `Invoice ${invoice.number} created` : 'Invoice created'}
        <InvoiceBadge status={invoice.status} />
      </h3>
      <dl>
        {invoice.hosted_invoice_url && (
          <>
            <dt>Payment link</dt>
            <dd>
              <a
                className="touch-link"
                href={invoice.hosted_invoice_url}
                target="_blank"
                rel="noreferrer"
              >
                {invoice.hosted_invoice_url}
              </a>
            </dd>
          </>
        )}
        {invoice.invoice_pdf && (
          <>
            <dt>PDF</dt>
            <dd>
              <a className="touch-link" href={invoice.invoice_pdf} target="_blank" rel="noreferrer">
                {invoiceFileName(invoice.number)}
              </a>
            </dd>
          </>
        )}
        {emailText && (
          <>
            <dt>Email</dt>
            <dd>{emailText}</dd>
          </>
        )}
      </dl>
      <div className="button-group">
        <Button compact onClick={props.onDismiss}>
          Dismiss
        </Button>
      </div>
    </section>
  )
}

/**
 * States whether the server emailed the invoice to the customer; undefined if the response does not contain this
 * information.
 */
function formatEmailResult(created: CreateInvoiceResponse) {
  const { invoice, emailSent, emailError, isEmailInOutbox } = created
  if (isEmailInOutbox) return messageInOutbox
  if (emailSent) return `Sent to ${invoice.customer_email ?? 'the customer'}`
  return emailError ?? (emailSent === false ? 'Not sent' : undefined)
}
