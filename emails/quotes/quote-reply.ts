import { givenName } from '#domain/customers/given-name.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { untrustedLines, oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import type { QuoteRequestRecord } from './quote-confirmation.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

/** Writes the email with an employee's reply to a quote request. */
export async function writeQuoteReply(
  shop: Shop,
  request: Pick<QuoteRequestRecord, 'id' | 'name' | 'email'>,
  reply: { readonly subject: string; readonly body: string },
): Promise<ShopEmail> {
  const subject = oneUntrustedLine(reply.subject, 250)
  const body = untrustedLines(reply.body, 20_000)
  const rendered = layOutEmail(shop, {
    subject,
    preview: oneUntrustedLine(body, 140),
    heading: `Your quote from ${shop.name}`,
    parts: [
      { kind: 'letter', text: body },
      {
        kind: 'paragraph',
        text: `This quote is preliminary: before any work starts you get a written estimate. Questions? Reply to this message or call ${shop.phone.display}.`,
      },
    ],
    reason: "You're receiving this email because you asked us for a quote.",
  })
  return {
    kind: 'quote_reply',
    // The deduplication key is derived from subject and text: two clicks on Send create one email, and a reply with
    // another text creates another email.
    dedupeKey: `quote_reply:${request.id}:${await fingerprint(`${subject}\n${body}`)}`,
    to: { email: request.email, name: givenName(request.name) },
    ...rendered,
    attachments: [],
    quoteRequestId: request.id,
  }
}

async function fingerprint(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
