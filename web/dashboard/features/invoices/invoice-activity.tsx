import type { AdminInvoice } from '#contracts/invoices/invoices.ts'
import type { ReceivedPayment } from '#contracts/payments/received-payment.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { RepairDetails } from '#web/dashboard/kit/records/repair-details.tsx'
import { useResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { emailNames } from '#web/dashboard/kit/emails/email-names.ts'
import { DeliveryState, NeedsPhoneCall } from '#web/dashboard/kit/emails/delivery-state.tsx'
import type { InvoiceEmail, InvoiceActivity } from './invoice-activity-api.ts'

/** Below an invoice: its payments and the delivery state of its emails. */
export function InvoiceActivityView(props: { invoice: AdminInvoice; activity: InvoiceActivity }) {
  const { invoice, activity } = props
  const payments = activity.payments.filter(({ invoice_id }) => invoice_id === invoice.id)
  const emails = activity.emails.filter(({ invoice_id }) => invoice_id === invoice.id)
  const isFromEstimate = activity.fromEstimates.has(invoice.id)
  if (payments.length + emails.length === 0 && !isFromEstimate) return null
  return (
    <div className="invoice-activity">
      {payments.map((payment) => (
        <p key={payment.id} className={payment.outcome === 'applied' ? undefined : 'needs-look'}>
          {paymentText(payment)}
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
