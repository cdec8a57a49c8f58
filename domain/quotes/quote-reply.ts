import { givenName } from '#domain/customers/given-name.ts'
import { type NewQuoteRequest, quoteServiceLabel } from './quote-form.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'

/** What a reply needs to know of its request. */
export type RepliedQuote = Pick<
  NewQuoteRequest,
  'name' | 'vehicle_year' | 'vehicle_make' | 'vehicle_model' | 'service_type'
>

/** To whom the reply goes, and from whom. */
type Parties = { readonly quote: RepliedQuote; readonly shop: Shop }

/** A reply while it is being written. The text follows price and notes until it is edited by hand. */
export type QuoteReply = {
  readonly subject: string
  readonly price: string
  readonly notes: string
  /** The text that is sent. */
  readonly body: string
  /** The text as it was last drafted from price and notes. */
  readonly draft: string
}

/** What may be changed of a reply. */
export type ReplyChange = Partial<Pick<QuoteReply, 'subject' | 'price' | 'notes' | 'body'>>

/** Longest values that the server takes (contracts/api/server-functions.ts), and room for them in the draft. */
export const replyLimits = { subject: 250, price: 100, notes: 2000, body: 20_000 } as const

/** A reply with the default subject 'Quote for {service} - {vehicle}' (docs/product.md 2.10). */
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

/** Gives up what was written by hand: the text follows price and notes again. */
export function regenerateDraft(parties: Parties, reply: QuoteReply): QuoteReply {
  const draft = draftReply(parties, reply.price, reply.notes)
  return { ...reply, draft, body: draft }
}

export function isEditedByHand({ body, draft }: QuoteReply): boolean {
  return body !== draft
}

/** docs/product.md 5.8. */
export function isSendable({ subject, body }: QuoteReply): boolean {
  return subject.trim() !== '' && body.trim() !== ''
}

/** Whether closing the reply would lose something that was typed. */
export function hasUnsavedReply(parties: Parties, reply: QuoteReply): boolean {
  const fresh = startReply(parties)
  return (['subject', 'price', 'notes', 'body'] as const).some((key) => reply[key] !== fresh[key])
}

function defaultSubject(quote: RepliedQuote): string {
  // The customer reads this: 'Quote for Not specified' would not do.
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

/** '240' is $240 and '240-310' is $240 – $310; any other words stay as they are. */
function priceText(price: string): string {
  const parts = price.trim().split(/\s*[-–]\s*/)
  const isPlain = parts.length <= 2 && parts.every((part) => amountPattern.test(part))
  return isPlain ? parts.map((part) => `$${part}`).join(' – ') : price.trim()
}
