import { formatInstant } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { refundSentence, type RefundWay } from '#domain/payments/correction-text.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { type PaymentEmail, writePaymentEmail } from './payment-email.ts'
import { formatPaymentWay, untrustedWay } from './payment-way.ts'

/** The estimate to which a deposit belongs, and the customer's email address. */
export type DepositRecipient = {
  readonly estimateId: string
  readonly estimateNumber: string
  readonly customerName: string
  readonly currency: string
  readonly email: string
}

type DepositPayment = {
  readonly paymentId: string
  readonly amountCents: number
  readonly approvedCents: number
  readonly method: string
  readonly reference: string | null
  /** The time of the payment: ISO 8601. */
  readonly paidAt: string
}

/** Writes the email with the receipt of a deposit. */
export function writeDepositReceipt(
  shop: Shop,
  recipient: DepositRecipient,
  payment: DepositPayment,
): ShopEmail {
  const cents = (amount: number) => formatCents(amount, recipient.currency)
  const amount = cents(payment.amountCents)
  return write(shop, recipient, {
    subject: `Receipt for your deposit, estimate ${recipient.estimateNumber}`,
    heading: 'Deposit received',
    text: `Thank you. ${shop.name} received your deposit of ${amount}. We deduct it from your invoice. You get it back if we cannot do the work.`,
    details: [
      ['Deposit', `${amount} ${recipient.currency.toUpperCase()}`],
      ['Paid by', formatPaymentWay(payment)],
      ['Paid on', formatInstant(new Date(payment.paidAt))],
      ['Approved', cents(payment.approvedCents)],
      ['At pickup', cents(payment.approvedCents - payment.amountCents)],
    ],
    dedupeKey: `receipt:deposit:${payment.paymentId}`,
  })
}

type DepositRefund = {
  readonly cents: number
  readonly reason: string
  /** The method of the refund; undefined when the refund uses several methods. */
  readonly way: RefundWay | undefined
}

/** Notifies the customer that the shop refunds a deposit, and by which method. */
export function writeDepositRefund(
  shop: Shop,
  recipient: DepositRecipient,
  refund: DepositRefund,
): ShopEmail {
  const amount = formatCents(refund.cents, recipient.currency)
  return write(shop, recipient, {
    subject: `Refund of your deposit, estimate ${recipient.estimateNumber}`,
    heading: 'Deposit refunded',
    text: refundSentence(shop.name, refund.cents, recipient.currency, untrustedWay(refund.way)),
    details: [
      ['Amount returned', `${amount} ${recipient.currency.toUpperCase()}`],
      ['Reason', oneUntrustedLine(refund.reason)],
    ],
    dedupeKey: `deposit-refund:${recipient.estimateId}`,
  })
}

function write(shop: Shop, recipient: DepositRecipient, email: PaymentEmail): ShopEmail {
  const frame = {
    kind: 'payment_receipt',
    to: recipient,
    record: ['Estimate', recipient.estimateNumber],
    reason: "You're receiving this email because you paid the deposit of an estimate of ours.",
  } as const
  return { ...writePaymentEmail(shop, frame, email), estimateId: recipient.estimateId }
}
