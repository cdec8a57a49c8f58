import type Stripe from 'stripe'
import { invoiceFileName } from '#domain/invoices/invoice-file-name.ts'
import { invoiceWork } from '#domain/invoices/invoice-work.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { untrustedLines, oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { greeting } from '#emails/layout/recipient.ts'
import { formatShopDate } from '#domain/text/format-shop-date.ts'

/** Sends an invoice to its customer, with the PDF and the link to pay it. */
export function writeInvoiceEmail(
  shop: Shop,
  invoice: Stripe.Invoice,
  publicUrl: string,
  pdf: Buffer,
): ShopEmail {
  const number = invoice.number ?? ''
  const amount = formatCents(invoice.amount_remaining, invoice.currency)
  const memo = untrustedLines(invoice.description ?? '', 600)
  const work = oneUntrustedLine(invoiceWork(invoice.lines.data.map((line) => line.description)))
  const rendered = layOutEmail(shop, {
    subject: `Invoice ${number} from ${shop.name}`,
    preview: `${amount}, payable online.`,
    heading: `Invoice ${number}`,
    parts: [
      ...(invoice.livemode
        ? []
        : [{ kind: 'notice', text: 'Test mode: no card is charged.' } as const]),
      { kind: 'paragraph', text: greeting(invoice.customer_name ?? '') },
      { kind: 'paragraph', text: `Here is your invoice from ${shop.name}, attached as a PDF.` },
      {
        kind: 'facts',
        details: [
          ['Invoice', number],
          ['Amount due', amount],
          ...(invoice.due_date === null
            ? []
            : [['Due', formatShopDate(invoice.due_date)] as const]),
          ...(work === '' ? [] : [['For', withoutLinks(work)] as const]),
          ...(memo === '' ? [] : [['Note', withoutLinks(memo)] as const]),
        ],
      },
      {
        kind: 'button',
        label: 'Pay this invoice',
        url: `${publicUrl}/pay-invoice?${new URLSearchParams({ invoice: number })}`,
      },
    ],
    reason: "You're receiving this email because the shop worked on your vehicle.",
  })
  return {
    kind: 'invoice',
    dedupeKey: `invoice:${invoice.id}`,
    to: {
      email: invoice.customer_email ?? '',
      name: oneUntrustedLine(invoice.customer_name ?? ''),
    },
    ...rendered,
    attachments: [
      {
        filename: invoiceFileName(number),
        contentType: 'application/pdf',
        content: pdf,
      },
    ],
    invoiceId: invoice.id,
  }
}
