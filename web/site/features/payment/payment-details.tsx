import { capitalized } from '#domain/text/capitalized.ts'
import type { ReactNode } from 'react'
import type { Payment } from '#contracts/payments/payments.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatInstant } from '#domain/calendar/shop-time.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import '#web/ui/badge/badge.css'

/** The details of a verified payment, in the words of docs/product.md 2.6. */
export function PaymentDetails({ payment }: { payment: Payment }) {
  return (
    <section className="card" aria-labelledby="payment-confirmed">
      <div className="payment-confirmed">
        <h2 className="card-heading" id="payment-confirmed">
          Payment Confirmed
        </h2>
        <Badge tone="ok">{capitalized(payment.status)}</Badge>
      </div>
      <dl className="summary">
        <Row label="Invoice number">{payment.invoiceNumber}</Row>
        <Row label="Amount Paid">
          {formatCents(payment.amountPaid, payment.currency)} {payment.currency.toUpperCase()}
        </Row>
        <Row label="Payment Date">{paymentDate(payment.paidAt)}</Row>
        {payment.customerEmail && <Row label="Receipt Email">{payment.customerEmail}</Row>}
        {payment.description && <Row label="Service Description">{payment.description}</Row>}
      </dl>
    </section>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The time of the payment in the shop's time zone: 'November 20, 2026 at 2:41 PM', or 'N/A'. */
function paymentDate(paidAt: string | null | undefined): string {
  const instant = new Date(paidAt ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? 'N/A' : formatInstant(instant)
}
