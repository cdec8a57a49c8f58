import { quoteServiceLabel } from '#domain/quote-form.ts'
import { shop } from '#domain/shop.ts'
import { layOut } from './email-layout.ts'
import { greeting, manyLines, oneLine, unlinked } from './foreign-text.ts'
import type { ShopEmail } from './shop-email.ts'

/** A quote request, as stored. */
export type QuoteRequestRecord = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly vehicleYear: string
  readonly vehicleMake: string
  readonly vehicleModel: string
  /** The stored value, for example 'brake-service'. */
  readonly serviceType: string | null
  readonly description: string
}

/** Tells the customer that the request has arrived and when to expect an answer. */
export function writeQuoteConfirmation(request: QuoteRequestRecord): ShopEmail {
  const vehicle = oneLine(
    [request.vehicleYear, request.vehicleMake, request.vehicleModel].join(' '),
    150,
  )
  const rendered = layOut({
    subject: 'We have your quote request',
    preview: `We will answer within ${shop.quoteReplyHours} hours.`,
    heading: 'We have your quote request',
    parts: [
      { kind: 'paragraph', text: greeting(request.name) },
      {
        kind: 'paragraph',
        text: `Thank you for asking ${shop.name}. We will contact you within ${shop.quoteReplyHours} hours with your personalized quote.`,
      },
      {
        kind: 'facts',
        facts: [
          ['Vehicle', unlinked(vehicle)],
          ['Service', quoteServiceLabel(request.serviceType)],
          ...(request.phone ? [['Phone', oneLine(request.phone, 40)] as const] : []),
          ['What you told us', unlinked(manyLines(request.description, 2000))],
        ],
      },
      {
        kind: 'paragraph',
        text: `Something to add, or is it urgent? Please call ${shop.phone.display}. A quote by e-mail is preliminary; you get a written estimate before any work starts.`,
      },
    ],
    reason:
      'You receive this message because this address was given in a quote request. If it was not you, no further message will follow but our answer.',
  })
  return {
    kind: 'quote_confirmation',
    dedupeKey: `quote:${request.id}`,
    to: { email: request.email, name: oneLine(request.name) },
    ...rendered,
    attachments: [],
    quoteRequestId: request.id,
  }
}
