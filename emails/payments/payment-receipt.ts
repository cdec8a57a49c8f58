import type Stripe from 'stripe'
import { invoiceFileName } from '#domain/invoices/invoice-file-name.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatInstant } from '#domain/calendar/shop-time.ts'
import type { Shop } from '#domain/shop/shop.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { untrustedLines, oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { greeting } from '#emails/layout/recipient.ts'

/** The deduplication key of an invoice's receipt, which prevents a second receipt. */
export function receiptKey(invoiceId: string): string {
  return `receipt:${invoiceId}`
}

/**
 * Writes the email with the receipt of a paid invoice for the payer. `pdf` is the PDF of the invoice, marked 'Paid'.
 */
export function writeReceipt(
  shop: Shop,
  invoice: Stripe.Invoice,
  email: string,
  pdf: Buffer | undefined,
): ShopEmail {
  const number = invoice.number ?? invoice.id
  const amount = formatCents(invoice.amount_paid, invoice.currency)
  const paidAt = invoice.status_transitions.paid_at ?? invoice.created
  const description = untrustedLines(invoice.description ?? '', 600)
  const rendered = layOutEmail(shop, {
    subject: `Receipt for invoice ${number}`,
    preview: `We received ${amount}. Thank you.`,
    heading: 'Payment received',
    parts: [
      ...(invoice.livemode
        ? []
        : [{ kind: 'notice', text: 'Test mode: no card was charged.' } as const]),
      { kind: 'paragraph', text: greeting(invoice.customer_name ?? '') },
      { kind: 'paragraph', text: `Thank you. Your payment to ${shop.name} has arrived.` },
      {
        kind: 'facts',
        details: [
          ['Invoice', number],
          ['Amount paid', `${amount} ${invoice.currency.toUpperCase()}`],
          ['Paid on', formatInstant(new Date(paidAt * 1000))],
          ...(description === '' ? [] : [['For', withoutLinks(description)] as const]),
        ],
      },
      {
        kind: 'paragraph',
        text: `${pdf ? 'The paid invoice is attached. ' : ''}Questions about this payment? Write to ${shop.billingEmail} or call ${shop.billingPhone.display}.`,
      },
    ],
    reason:
      "You're receiving this email because this address was given for the payment of an invoice.",
  })
  return {
    kind: 'payment_receipt',
    dedupeKey: receiptKey(invoice.id),
    to: { email, name: oneUntrustedLine(invoice.customer_name ?? '') },
    ...rendered,
    attachments: pdf ? [pdfAttachment(number, pdf)] : [],
    invoiceId: invoice.id,
  }
}

function pdfAttachment(number: string, content: Buffer): ShopEmail['attachments'][number] {
  return { filename: invoiceFileName(number), contentType: 'application/pdf', content }
}
