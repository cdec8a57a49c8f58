import type { Shop } from '#domain/shop.ts'
import { html, type Markup } from '#server/platform/http/html.ts'
import { phoneLink } from './visit-markup.ts'

const refusals = {
  too_many: {
    heading: 'Please call us to confirm',
    lead: "You've reached the limit for online bookings. Please call and we'll book this one for you.",
  },
  too_often: {
    heading: 'Too many attempts',
    lead: 'Please wait a few minutes and open the link again, or call us.',
  },
} as const

/** A page of one sentence where a link or a click could not be taken. */
export function writeRefusalPage(shop: Shop, refusal: keyof typeof refusals): Markup {
  const { heading, lead } = refusals[refusal]
  return sayOnly(
    shop,
    html`<h1 tabindex="-1">${heading}</h1>
      <p class="visit-lead">${lead}</p>`,
  )
}

/** The same words for every link that opens nothing: whether it was ever good is nobody's business. */
export function writeNotValidPage(shop: Shop): Markup {
  return sayOnly(
    shop,
    html`<h1 tabindex="-1">This link is not valid.</h1>
      <p class="visit-lead">Call ${phoneLink(shop)} and we'll find your appointment.</p>`,
  )
}

function sayOnly(shop: Shop, words: Markup): Markup {
  return html`<main id="main" tabindex="-1" class="visit">
    <section class="visit-sky visit-alone">
      <div class="page-width visit-say">
        ${words}
        <div class="visit-answers">
          <a class="button button-primary" href="${shop.phone.href}">Call ${shop.phone.display}</a>
        </div>
      </div>
    </section>
  </main>`
}
