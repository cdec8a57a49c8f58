import { formatCents } from '#domain/money/format-cents.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { greeting } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import type { DepositRecipient } from './deposit-emails.ts'

/** An invoice and its customer's email address, for the email with the payment link. */
type LinkedInvoice = {
  readonly id: string
  readonly number: string
  readonly customerName: string
  readonly email: string
  readonly balanceCents: number
  readonly currency: string
}

/** The URL of the payment link, and an id that makes the email's deduplication key unique. */
type Message = { readonly id: string; readonly url: string }

/** Writes the email with the link for paying an invoice online. */
export function writePaymentLink(
  shop: Shop,
  invoice: LinkedInvoice,
  { id, url }: Message,
): ShopEmail {
  const amount = formatCents(invoice.balanceCents, invoice.currency)
  return {
    ...write(shop, invoice, {
      id,
      subject: `Pay invoice ${invoice.number} from ${shop.name}`,
      heading: `Pay ${amount} online`,
      text: `Here is the link to pay invoice ${invoice.number} by card.`,
      details: [
        ['Invoice', invoice.number],
        ['Amount due', amount],
      ],
      button: { label: 'Pay this invoice', url },
    }),
    invoiceId: invoice.id,
  }
}

/** Reminds the customer to pay a requested deposit. */
export function writeDepositReminder(
  shop: Shop,
  recipient: DepositRecipient,
  deposit: Message & { readonly cents: number; readonly approvedCents: number },
): ShopEmail {
  const amount = formatCents(deposit.cents, recipient.currency)
  return {
    ...write(shop, recipient, {
      id: deposit.id,
      subject: `Deposit for estimate ${recipient.estimateNumber} from ${shop.name}`,
      heading: `Pay your ${amount} deposit`,
      text: `You approved estimate ${recipient.estimateNumber}. Please pay the deposit on the page of the estimate. We deduct the deposit from your invoice. You get it back if we cannot do the work.`,
      details: [
        ['Estimate', recipient.estimateNumber],
        ['Deposit', amount],
        ['Approved', formatCents(deposit.approvedCents, recipient.currency)],
      ],
      button: { label: 'See your estimate', url: deposit.url },
    }),
    estimateId: recipient.estimateId,
  }
}

type Request = {
  readonly id: string
  readonly subject: string
  readonly heading: string
  readonly text: string
  readonly details: readonly (readonly [string, string])[]
  readonly button: { readonly label: string; readonly url: string }
}

function write(
  shop: Shop,
  { email, customerName }: { readonly email: string; readonly customerName: string },
  { id, subject, heading, text, details, button }: Request,
): ShopEmail {
  const rendered = layOutEmail(shop, {
    subject,
    preview: text,
    heading,
    parts: [
      { kind: 'paragraph', text: greeting(customerName) },
      { kind: 'paragraph', text },
      { kind: 'facts', details },
      { kind: 'button', ...button },
      {
        kind: 'paragraph',
        text: `Questions? Write to ${shop.billingEmail} or call ${shop.billingPhone.display}.`,
      },
    ],
    reason: "You're receiving this email because the shop asks you for this payment.",
  })
  return {
    kind: 'payment_request',
    dedupeKey: `payment-request:${id}`,
    to: { email, name: oneUntrustedLine(customerName) },
    ...rendered,
    attachments: [],
  }
}
