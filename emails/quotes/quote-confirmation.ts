import { givenName } from '#domain/customers/given-name.ts'
import { quoteServiceLabel } from '#domain/quotes/quote-form.ts'
import { replyTime } from '#domain/quotes/reply-time.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { formatKnownVehicle } from '#domain/customers/vehicle-make.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { greetUnverified } from '#emails/layout/recipient.ts'
import type { Confirmation } from '#emails/layout/shop-email.ts'

/** A quote request, as the database stores it. */
export type QuoteRequestRecord = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly vehicleYear: string
  readonly vehicleMake: string
  /** The stored value of the service type, for example 'brake-service'. */
  readonly serviceType: string | null
  readonly description: string
  /** The signs that an automated program submitted the form; empty for an ordinary request. */
  readonly flaggedReasons: readonly string[]
}

/**
 * Writes the email that confirms a quote request to the customer and states when the shop replies. Because a visitor
 * can enter someone else's email address, the email repeats no untrusted text.
 */
export function writeQuoteConfirmation(shop: Shop, request: QuoteRequestRecord): Confirmation {
  const isFlagged = request.flaggedReasons.length > 0
  const name = isFlagged ? '' : request.name
  const vehicle = isFlagged ? '' : formatKnownVehicle(request.vehicleYear, request.vehicleMake)
  const rendered = layOutEmail(shop, {
    subject: 'We have your quote request',
    preview: `We will answer within ${replyTime(shop)}.`,
    heading: 'We have your quote request',
    parts: [
      { kind: 'paragraph', text: greetUnverified(name) },
      {
        kind: 'paragraph',
        text: `Thank you for asking ${shop.name}. We will contact you within ${replyTime(shop)} with your personalized quote.`,
      },
      {
        kind: 'facts',
        details: [
          ...(vehicle ? [['Vehicle', vehicle] as const] : []),
          ['Service', quoteServiceLabel(request.serviceType)],
        ],
      },
      {
        kind: 'paragraph',
        text: `We have everything you wrote. Do you want to add something, or is your request urgent? Please call ${shop.phone.display}. A quote by email is preliminary; you get a written estimate before any work starts.`,
      },
    ],
    reason:
      "You're receiving this email because this address was given in a quote request. If it was not you, you won't receive any other messages.",
  })
  return {
    kind: 'quote_confirmation',
    dedupeKey: `quote:${request.id}`,
    to: { email: request.email, name: givenName(name) },
    ...rendered,
    attachments: [],
    quoteRequestId: request.id,
  }
}
