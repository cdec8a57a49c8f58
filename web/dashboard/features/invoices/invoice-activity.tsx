import type { AdminInvoice } from '#contracts/invoices/invoices.ts'
import { ledgerLineText } from '#web/dashboard/kit/payments/ledger-line-text.ts'
import { RepairDetails } from '#web/dashboard/kit/records/repair-details.tsx'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { emailNames } from '#web/dashboard/kit/emails/email-names.ts'
import { DeliveryState, NeedsPhoneCall } from '#web/dashboard/kit/emails/delivery-state.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import type { InvoiceEmail, InvoiceActivity } from './invoice-activity-api.ts'

/** The lines below an invoice in the list: its payments and the delivery state of its emails. */
export function InvoiceActivityView(props: { invoice: AdminInvoice; activity: InvoiceActivity }) {
  const { invoice, activity } = props
  const nameOf = useNameOf()
  const payments = activity.payments.filter(({ invoice_id }) => invoice_id === invoice.id)
  const emails = activity.emails.filter(({ invoice_id }) => invoice_id === invoice.id)
  const isFromEstimate = activity.fromEstimates.has(invoice.id)
  if (payments.length + emails.length === 0 && !isFromEstimate) return null
  return (
    <div className="invoice-activity">
      {payments.map((payment) => (
        <p key={payment.id} className={payment.kind === 'payment' ? undefined : 'needs-look'}>
          {ledgerLineText(payment, nameOf)}
        </p>
      ))}
      {emails.map((email) => (
        <EmailLine key={email.id} email={email} invoice={invoice} />
      ))}
      {isFromEstimate && <RepairDetails kind="invoice" id={invoice.id} />}
    </div>
  )
}

function EmailLine({ email, invoice }: { email: InvoiceEmail; invoice: AdminInvoice }) {
  const resending = useResendEmail()
  return (
    <>
      <DeliveryState
        email={email}
        what={emailNames[email.kind]}
        recipient={invoice.customer_name || 'the customer'}
        onResend={resending.resend}
        isBusy={resending.busyId === email.id}
      />
      {email.status === 'failed' && <NeedsPhoneCall phone={null} />}
    </>
  )
}
