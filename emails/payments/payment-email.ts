import type { Shop } from '#domain/shop/shop.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { greeting } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

/** The content of one email about a payment. */
export type PaymentEmail = {
  readonly subject: string
  readonly heading: string
  readonly text: string
  readonly details: readonly (readonly [string, string])[]
  readonly dedupeKey: string
}

type Frame = {
  readonly kind: ShopEmail['kind']
  readonly to: { readonly customerName: string; readonly email: string }
  /**
   * The first line of the details: the kind and the number of the record that was paid, such as 'Invoice' and
   * 'INV-2026-0007'.
   */
  readonly record: readonly [string, string]
  /** The reason why the customer gets the email. */
  readonly reason: string
}

/** Writes a short email about a payment: a short text, the details of the payment, and how to contact the shop. */
export function writePaymentEmail(
  shop: Shop,
  { kind, to, record, reason }: Frame,
  { subject, heading, text, details, dedupeKey }: PaymentEmail,
): ShopEmail {
  const rendered = layOutEmail(shop, {
    subject,
    preview: text,
    heading,
    parts: [
      { kind: 'paragraph', text: greeting(to.customerName) },
      { kind: 'paragraph', text },
      { kind: 'facts', details: [record, ...details] },
      {
        kind: 'paragraph',
        text: `Questions? Write to ${shop.billingEmail} or call ${shop.billingPhone.display}.`,
      },
    ],
    reason,
  })
  return {
    kind,
    dedupeKey,
    to: { email: to.email, name: oneUntrustedLine(to.customerName) },
    ...rendered,
    attachments: [],
  }
}
