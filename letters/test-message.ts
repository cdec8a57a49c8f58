import type { Shop } from '#domain/shop.ts'
import { layOut } from './email-layout.ts'
import type { ShopEmail } from './shop-email.ts'

/** Shows the owner that e-mail leaves and how it looks. `wish` names the press of the button that asked for it. */
export function writeTestMessage(shop: Shop, to: string, wish: string): ShopEmail {
  const rendered = layOut(shop, {
    subject: `Test message of ${shop.name}`,
    preview: 'E-mail of your shop arrives.',
    heading: 'E-mail of your shop arrives',
    parts: [
      {
        kind: 'paragraph',
        text: 'Somebody asked for this message in the settings of the dashboard. Confirmations, replies and receipts take the same way.',
      },
      {
        kind: 'paragraph',
        text: 'If it lay among the spam, ask whoever runs the mail server about SPF and DKIM for your domain.',
      },
    ],
    reason: 'You receive this message because the shop tries whether its e-mail arrives.',
  })
  return {
    kind: 'test_message',
    dedupeKey: `test:${wish}`,
    to: { email: to, name: '' },
    ...rendered,
    attachments: [],
  }
}
