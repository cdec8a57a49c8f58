import { formatInstant } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { greeting } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { formatPaymentWay } from './payment-way.ts'

/** A payment at the counter with the values of its receipt. `balanceCents` is the balance after the payment. */
export type CounterPayment = {
  readonly paymentId: string
  readonly invoiceId: string
  readonly invoiceNumber: string
  readonly customerName: string
  readonly email: string
  readonly amountCents: number
  readonly balanceCents: number
  readonly currency: string
  readonly method: string
  readonly reference: string | null
  /** The time of the payment: ISO 8601. */
  readonly paidAt: string
}

/** Writes the email with the receipt of one payment at the counter. */
export function writeCounterReceipt(shop: Shop, payment: CounterPayment): ShopEmail {
  const { invoiceNumber, balanceCents, currency } = payment
  const amount = formatCents(payment.amountCents, currency)
  const balance = formatCents(balanceCents, currency)
  const rendered = layOutEmail(shop, {
    subject: `Receipt for invoice ${invoiceNumber}`,
    preview: `We received ${amount}. Thank you.`,
    heading: 'Payment received',
    parts: [
      { kind: 'paragraph', text: greeting(payment.customerName) },
      { kind: 'paragraph', text: `Thank you. We received your payment at ${shop.name}.` },
      {
        kind: 'facts',
        details: [
          ['Invoice', invoiceNumber],
          ['Amount paid', `${amount} ${currency.toUpperCase()}`],
          ['Paid by', formatPaymentWay(payment)],
          ['Paid on', formatInstant(new Date(payment.paidAt))],
          ['Balance', balanceCents === 0 ? 'Paid in full' : balance],
        ],
      },
      {
        kind: 'paragraph',
        text: `Questions about this payment? Write to ${shop.billingEmail} or call ${shop.billingPhone.display}.`,
      },
    ],
    reason: "You're receiving this email because you paid an invoice at our counter.",
  })
  return {
    kind: 'payment_receipt',
    dedupeKey: `receipt:payment:${payment.paymentId}`,
    to: { email: payment.email, name: oneUntrustedLine(payment.customerName) },
    ...rendered,
    attachments: [],
    invoiceId: payment.invoiceId,
  }
}
