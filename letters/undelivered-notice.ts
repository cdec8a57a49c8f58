import { layOut } from './email-layout.ts'
import { oneLine, unlinked } from './foreign-text.ts'
import type { OutgoingEmail } from './delivery/mail-transport.ts'
import type { Owner } from './payment-notices.ts'
import type { ShopEmail } from './shop-email.ts'

/** Tells the owner that a customer did not get a message: someone has to call. */
export function writeUndeliveredNotice(
  email: OutgoingEmail,
  reason: string,
  { currentShop, ownerEmail }: Owner,
): ShopEmail {
  const shop = currentShop()
  const rendered = layOut(shop, {
    subject: 'An e-mail could not be delivered: please call the customer',
    preview: 'A customer did not get our message.',
    heading: 'A customer did not get our message',
    parts: [
      {
        kind: 'paragraph',
        text: 'We have given up sending the message below. Please call the customer; the dashboard shows the phone number and can send it again.',
      },
      {
        kind: 'facts',
        facts: [
          ['To', unlinked(oneLine(`${email.recipientName} (${email.recipientEmail})`, 350))],
          ['Subject', unlinked(oneLine(email.subject, 250))],
          ['Mail server', unlinked(oneLine(reason, 300))],
        ],
      },
    ],
    reason: 'You receive this message as the owner of the shop.',
  })
  return {
    kind: 'owner_notice',
    dedupeKey: `undelivered:${email.messageId}`,
    to: { email: ownerEmail ?? shop.bookingEmail, name: '' },
    ...rendered,
    attachments: [],
  }
}
