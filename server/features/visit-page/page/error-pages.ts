import type { Shop } from '#domain/shop/shop.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'
import { pageHeading } from './page-result.ts'
import { phoneLink } from './markup.ts'

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

/** Renders a page with one message for a refused link or click. */
export function renderErrorPage(shop: Shop, refusal: keyof typeof refusals): WrittenPage {
  const { heading, lead } = refusals[refusal]
  return messagePage(shop, heading, html`${lead}`)
}

/** The same page for every invalid link, so that it does not reveal whether a link was ever valid. */
export function renderInvalidLinkPage(shop: Shop): WrittenPage {
  const lead = html`Call ${phoneLink(shop)} and we'll find your appointment.`
  return messagePage(shop, 'This link is not valid.', lead)
}

function messagePage(shop: Shop, heading: string, lead: Markup): WrittenPage {
  const main = html`<main id="main" tabindex="-1" class="visit">
    <section class="visit-sky visit-alone">
      <div class="page-width visit-text">
        ${pageHeading(heading)}
        <p class="visit-lead">${lead}</p>
        <div class="visit-actions">
          <a class="button button-primary" href="${shop.phone.href}">Call ${shop.phone.display}</a>
        </div>
      </div>
    </section>
  </main>`
  return { title: heading, main }
}
