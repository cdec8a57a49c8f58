import type { Shop } from '#domain/shop/shop.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

/**
 * Writes a test email that shows the owner how the shop's emails look. `requestId` identifies the owner's click on the
 * button, so that each click sends an email of its own.
 */
export function writeTestMessage(shop: Shop, to: string, requestId: string): ShopEmail {
  const rendered = layOutEmail(shop, {
    subject: `Test message from ${shop.name}`,
    preview: "Your shop's email works.",
    heading: "Your shop's email works",
    parts: [
      {
        kind: 'paragraph',
        text: 'This message was requested in the dashboard settings. Confirmations, replies and receipts are sent the same way.',
      },
      {
        kind: 'paragraph',
        text: 'If this was in your spam folder, ask your email provider about SPF and DKIM for your domain.',
      },
    ],
    reason: "You're receiving this email because the shop is testing its email.",
  })
  return {
    kind: 'test_message',
    dedupeKey: `test:${requestId}`,
    to: { email: to, name: '' },
    ...rendered,
    attachments: [],
  }
}
