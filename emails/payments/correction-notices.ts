import { formatCents } from '#domain/money/format-cents.ts'
import {
  cancelSentence,
  refundSentence,
  type RefundWay,
  voidSentence,
} from '#domain/payments/correction-text.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { type PaymentEmail, writePaymentEmail } from './payment-email.ts'
import { untrustedWay } from './payment-way.ts'

/** The corrected invoice and its customer's email address. */
export type CorrectedInvoice = {
  readonly invoiceId: string
  readonly invoiceNumber: string
  readonly customerName: string
  readonly currency: string
  readonly email: string
}

/** A refund, or all refunds of a cancelled invoice together, of which the customer is notified. */
export type RefundToNotify = {
  readonly id: string
  readonly cents: number
  readonly reason: string
  /** The method of the refund; undefined when the refund uses several methods. */
  readonly way: RefundWay | undefined
}

/** Notifies the customer of a full or partial refund. */
export function writeRefundNotice(
  shop: Shop,
  invoice: CorrectedInvoice,
  refund: RefundToNotify,
): ShopEmail {
  const amount = formatCents(refund.cents, invoice.currency)
  return write(shop, invoice, {
    subject: `Refund for invoice ${invoice.invoiceNumber}`,
    heading: 'Refund',
    text: refundSentence(shop.name, refund.cents, invoice.currency, untrustedWay(refund.way)),
    details: [
      ['Amount returned', `${amount} ${invoice.currency.toUpperCase()}`],
      ['Reason', oneUntrustedLine(refund.reason)],
    ],
    dedupeKey: `refund:${refund.id}`,
  })
}

/** Notifies the customer that an invoice is void and that no payment is due. */
export function writeVoidNotice(shop: Shop, invoice: CorrectedInvoice, reason: string): ShopEmail {
  return write(shop, invoice, {
    subject: `Invoice ${invoice.invoiceNumber} is void`,
    heading: 'Invoice void',
    text: voidSentence(invoice.invoiceNumber),
    details: [['Reason', oneUntrustedLine(reason)]],
    dedupeKey: `void:${invoice.invoiceId}`,
  })
}

/** Notifies the customer that an invoice is cancelled without a refund. */
export function writeCancelNotice(
  shop: Shop,
  invoice: CorrectedInvoice,
  reason: string,
): ShopEmail {
  return write(shop, invoice, {
    subject: `Invoice ${invoice.invoiceNumber} is cancelled`,
    heading: 'Invoice cancelled',
    text: cancelSentence(invoice.invoiceNumber),
    details: [['Reason', oneUntrustedLine(reason)]],
    dedupeKey: `cancel:${invoice.invoiceId}`,
  })
}

function write(shop: Shop, invoice: CorrectedInvoice, correction: PaymentEmail): ShopEmail {
  const frame = {
    kind: 'invoice_correction',
    to: invoice,
    record: ['Invoice', invoice.invoiceNumber],
    reason: "You're receiving this email because we made an invoice for you.",
  } as const
  return { ...writePaymentEmail(shop, frame, correction), invoiceId: invoice.invoiceId }
}
