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

/** Writes the email that sends an invoice to its customer, with the PDF and the payment link. */
export function writeInvoiceEmail(
  shop: Shop,
  invoice: Stripe.Invoice,
  publicUrl: string,
  pdf: Buffer,
): ShopEmail {
  return write(shop, invoice, pdf, {
    email: invoice.customer_email ?? '',
    dueCents: invoice.amount_remaining,
    due: invoice.due_date === null ? undefined : formatShopDate(invoice.due_date),
    payUrl: `${publicUrl}/pay-invoice?${new URLSearchParams({ invoice: invoice.number ?? '' })}`,
    dedupeKey: `invoice:${invoice.id}`,
  })
}

/**
 * The content of the email that sends an invoice to an address that staff typed. The balance and the due date are from
 * the shop's ledger.
 */
export type HandedOverInvoice = {
  readonly email: string
  readonly dueCents: number
  /** The due date as text: 'December 4, 2026'. */
  readonly due: string | undefined
  readonly payUrl: string
  readonly dedupeKey: string
}

/**
 * Writes the email that sends an invoice to an email address typed by staff, with the PDF and the link to the page of
 * the invoice.
 */
export const writeHandedOverInvoice = (
  shop: Shop,
  invoice: Stripe.Invoice,
  pdf: Buffer,
  sent: HandedOverInvoice,
): ShopEmail => write(shop, invoice, pdf, sent)

function write(
  shop: Shop,
  invoice: Stripe.Invoice,
  pdf: Buffer,
  { email, dueCents, due, payUrl, dedupeKey }: HandedOverInvoice,
): ShopEmail {
  const number = invoice.number ?? ''
  const amount = formatCents(dueCents, invoice.currency)
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
          ...(due === undefined ? [] : [['Due', due] as const]),
          ...(work === '' ? [] : [['For', withoutLinks(work)] as const]),
          ...(memo === '' ? [] : [['Note', withoutLinks(memo)] as const]),
        ],
      },
      {
        kind: 'button',
        label: 'Pay this invoice',
        url: payUrl,
      },
    ],
    reason: "You're receiving this email because the shop worked on your vehicle.",
  })
  return {
    kind: 'invoice',
    dedupeKey,
    to: {
      email,
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
