import { formatLongDate } from '#domain/calendar-date.ts'
import { formatCents } from '#domain/format-cents.ts'
import type { Shop } from '#domain/shop.ts'
import type { Offer } from '#contracts/estimates.ts'
import { layOut } from './email-layout.ts'
import { greeting, oneLine, unlinked } from './foreign-text.ts'
import type { ShopEmail } from './shop-email.ts'

/** Hands an estimate over: what it comes to, until when it is good, and the page where it is answered. */
export function writeEstimate(shop: Shop, offer: Offer, url: string): ShopEmail {
  const { number, goodUntil, customerName, revision } = offer
  const total = formatCents(offer.jobs.reduce((sum, { totalCents }) => sum + totalCents, 0))
  const what = revision > 1 ? `Revised estimate ${number}` : `Estimate ${number}`
  return {
    kind: 'estimate',
    // Once a revision.
    dedupeKey: `estimate:${offer.estimateId}:revision:${revision}`,
    to: { email: offer.customerEmail, name: oneLine(customerName) },
    ...layOut(shop, {
      subject: `${what}: ${total}`,
      preview: `${total}, tax included. Good until ${formatLongDate(goodUntil)}.`,
      heading: 'Your estimate is ready',
      parts: [
        { kind: 'paragraph', text: greeting(customerName) },
        {
          kind: 'paragraph',
          text: 'We looked at your car and wrote down what we found, in plain words, with a price for each job. You decide, job by job. Nothing starts before you approve.',
        },
        { kind: 'facts', facts: factsOf(offer, what, total) },
        { kind: 'button', label: 'See your estimate', url },
        {
          kind: 'paragraph',
          text: `Only you have this link; who has it can answer for you. Questions? Please call ${shop.phone.display}.`,
        },
      ],
      reason: 'You receive this message because you asked us what a repair would cost.',
    }),
    attachments: [],
    bookingId: offer.bookingId,
    estimateId: offer.estimateId,
    estimateRevision: revision,
  }
}

function factsOf({ vehicle, jobs, goodUntil }: Offer, what: string, total: string) {
  const car = unlinked(
    oneLine([vehicle.year, vehicle.make, vehicle.model].filter(Boolean).join(' ')),
  )
  return [
    ['Estimate', what],
    ...(car === '' ? [] : [['Car', car] as const]),
    [jobs.length === 1 ? 'The job' : `All ${jobs.length} jobs`, `${total}, tax included`],
    ['Good until', formatLongDate(goodUntil)],
  ] as const
}
