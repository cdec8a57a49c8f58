import { useId } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { DeliveryState, NeedsPhoneCall } from '#web/dashboard/kit/emails/delivery-state.tsx'
import { emailNames } from '#web/dashboard/kit/emails/email-names.ts'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { invoiceHistory } from './history-text.ts'
import { useInvoiceEmails } from './use-invoice.ts'

/** The emails about an invoice with their delivery states, and the changes of the invoice, newest first. */
export function HistoryCard({ invoice }: { invoice: InvoiceDetail }) {
  const titleId = useId()
  return (
    <section className="card invoice-section" aria-labelledby={titleId}>
      <header>
        <h3 id={titleId}>Emails and history</h3>
      </header>
      <Emails invoice={invoice} />
      <ol className="invoice-history">
        {invoiceHistory(invoice).map(({ at, text, by }) => (
          <li key={`${at} ${text}`}>
            <b>{text}</b>
            <small>
              <time dateTime={at}>{formatShortStamp(at)}</time>
              {by !== null && (
                <>
                  , <StaffName username={by} at={at} />
                </>
              )}
            </small>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Emails({ invoice }: { invoice: InvoiceDetail }) {
  const emails = useInvoiceEmails(invoice)
  const resending = useResendEmail()
  if (!emails || emails.length === 0) return null
  return (
    <ul className="invoice-emails">
      {emails.toReversed().map((email) => (
        <li key={email.id}>
          <DeliveryState
            email={email}
            what={emailNames[email.kind]}
            recipient={invoice.customerName || 'the customer'}
            onResend={resending.resend}
            isBusy={resending.busyId === email.id}
          />
          {email.status === 'failed' && <NeedsPhoneCall phone={null} />}
        </li>
      ))}
    </ul>
  )
}
