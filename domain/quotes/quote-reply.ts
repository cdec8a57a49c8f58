import { givenName } from '#domain/customers/given-name.ts'
import { type NewQuoteRequest, quoteServiceLabel } from './quote-form.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'

/** The columns of a quote request that staff's reply uses. */
export type RepliedQuote = Pick<
  NewQuoteRequest,
  'name' | 'vehicle_year' | 'vehicle_make' | 'vehicle_model' | 'service_type'
>

/** The quote request, and the shop that replies to it. */
type Parties = { readonly quote: RepliedQuote; readonly shop: Shop }

/** A reply that an employee is writing. `body` is generated from price and notes until the employee edits the text. */
export type QuoteReply = {
  readonly subject: string
  readonly price: string
  readonly notes: string
  /** The text of the email to the customer. */
  readonly body: string
  /**
   * The text that was last generated from price and notes; when `body` differs from this text, the employee has edited
   * `body`.
   */
  readonly draft: string
}

/** The fields of a reply that an employee can edit. */
export type ReplyChange = Partial<Pick<QuoteReply, 'subject' | 'price' | 'notes' | 'body'>>

/** The maximum length, in characters, that the server accepts for each field (contracts/api/server-functions.ts). */
export const replyLimits = { subject: 250, price: 100, notes: 2000, body: 20_000 } as const

/** Creates a reply with the default subject 'Quote for {service} - {vehicle}' (docs/product.md 2.10). */
export function startReply(parties: Parties): QuoteReply {
  const draft = draftReply(parties, '', '')
  return { subject: defaultSubject(parties.quote), price: '', notes: '', body: draft, draft }
}

export function changeReply(parties: Parties, reply: QuoteReply, change: ReplyChange): QuoteReply {
  const changed = { ...reply, ...change }
  return isEditedByHand(reply) || change.body !== undefined
    ? changed
    : regenerateDraft(parties, changed)
}

/** Replaces the edited text by the text generated from price and notes. */
export function regenerateDraft(parties: Parties, reply: QuoteReply): QuoteReply {
  const draft = draftReply(parties, reply.price, reply.notes)
  return { ...reply, draft, body: draft }
}

export function isEditedByHand({ body, draft }: QuoteReply): boolean {
  return body !== draft
}

/** Returns whether the subject and the text of the reply are filled in (docs/product.md 5.8). */
export function isSendable({ subject, body }: QuoteReply): boolean {
  return subject.trim() !== '' && body.trim() !== ''
}

/** Returns whether closing the reply would discard the employee's input. */
export function hasUnsavedReply(parties: Parties, reply: QuoteReply): boolean {
  const fresh = startReply(parties)
  return (['subject', 'price', 'notes', 'body'] as const).some((key) => reply[key] !== fresh[key])
}

function defaultSubject(quote: RepliedQuote): string {
  // The customer reads this subject, so the subject must not be 'Quote for Not specified'.
  const service = quote.service_type ? quoteServiceLabel(quote.service_type) : 'Service'
  return `Quote for ${service} - ${vehicleText(quote)}`.slice(0, replyLimits.subject)
}

function draftReply({ quote, shop }: Parties, price: string, notes: string): string {
  const firstName = givenName(quote.name)
  return [
    firstName ? `Hi ${firstName},` : 'Hello,',
    `Thank you for writing to ${shop.name} about your ${vehicleText(quote)}.`,
    price.trim() && `Estimated price: ${priceText(price)}`,
    notes.trim(),
    `${shop.name}, ${shop.phone.display}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

const amountPattern = /^\d[\d,]*(\.\d{1,2})?$/

/**
 * The entered price as text for the customer: '240' → '$240', '240-310' → '$240 – $310'; any other text is unchanged.
 */
function priceText(price: string): string {
  const parts = price.trim().split(/\s*[-–]\s*/)
  const isPlain = parts.length <= 2 && parts.every((part) => amountPattern.test(part))
  return isPlain ? parts.map((part) => `$${part}`).join(' – ') : price.trim()
}
