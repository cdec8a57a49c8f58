import type { AdminInvoice } from '#contracts/invoices.ts'
import type { ReceivedPayment } from '#contracts/received-payment.ts'
import { formatCents } from '#domain/format-cents.ts'
import { formatStamp } from '#domain/shop-time.ts'
import { RepairDetails } from '#web/ui/thread-details.tsx'
import { useResendEmail } from '#web/lib/use-resend-email.ts'
import { emailNames } from '#web/lib/email-names.ts'
import { DeliveryState, NeedsPhoneCall } from '#web/ui/delivery-state.tsx'
import type { InvoiceEmail, InvoiceActivity } from './invoice-trail-api.ts'

/** Under an invoice: what was received for it, and where its e-mails are. */
export function InvoiceActivityView(props: { invoice: AdminInvoice; activity: InvoiceActivity }) {
  const { invoice, activity } = props
  const payments = activity.payments.filter(({ invoice_id }) => invoice_id === invoice.id)
  const emails = activity.emails.filter(({ invoice_id }) => invoice_id === invoice.id)
  const isEstimated = activity.estimated.has(invoice.id)
  if (payments.length + emails.length === 0 && !isEstimated) return null
  return (
    <div className="invoice-trail">
      {payments.map((payment) => (
        <p key={payment.id} className={payment.outcome === 'applied' ? undefined : 'needs-look'}>
          {paymentText(payment)}
        </p>
      ))}
      {emails.map((email) => (
        <EmailLine key={email.id} email={email} invoice={invoice} />
      ))}
      {isEstimated && <RepairDetails kind="invoice" id={invoice.id} />}
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

function paymentText(payment: ReceivedPayment): string {
  const amount = formatCents(payment.amount_cents, payment.currency)
  const received = `${amount} received ${formatStamp(payment.paid_at)}`
  switch (payment.outcome) {
    case 'applied':
      return received
    case 'overpaid':
      return `${received}, ${formatCents(payment.overpaid_cents, payment.currency)} too much: the customer has it as credit.`
    case 'refunded':
      return `${received} a second time and refunded in full.`
  }
}
