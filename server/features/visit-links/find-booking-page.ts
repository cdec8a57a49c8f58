import type { Shop } from '#domain/shop/shop.ts'
import { pageHeading, postTo, refusedField } from '#server/features/visit-page/page/page-result.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'

/**
 * Renders the form for the email address of a customer who lost the link; `input` is an invalid address from the last
 * attempt.
 */
export function renderFindBookingPage(shop: Shop, input?: string): WrittenPage {
  const error = input === undefined ? undefined : 'Please enter a valid email address.'
  const field = refusedField('email', error)
  return page(shop, {
    heading: 'Find my appointment',
    error,
    body: html`<p class="visit-lead">We'll email you the links to your upcoming appointments.</p>
      <form method="post" action="${postTo('/visit')}" class="visit-find" novalidate>
        <label class="field-label" for="email">The email address you booked with</label>
        <input
          class="input"
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          maxlength="254"
          required
          value="${input ?? ''}"
          ${field.attributes}
        />
        ${field.message}
        <button class="button button-primary" type="submit" data-busy="Sending…">
          Email me the links
        </button>
      </form>`,
  })
}

/** The same page for every address, so that it does not reveal who has an appointment. */
export function renderLinksSentPage(shop: Shop): WrittenPage {
  return page(shop, {
    heading: 'Check your inbox',
    body: html`<p class="visit-lead">
      If this address has upcoming appointments with us, an email with the links is on its way. It
      may take a few minutes, and we send it at most once an hour.
    </p>`,
  })
}

export function renderRateLimitPage(shop: Shop): WrittenPage {
  return page(shop, {
    heading: 'Too many attempts',
    body: html`<p class="visit-lead">Please wait a while and try again, or call us.</p>`,
  })
}

type Parts = {
  readonly heading: string
  readonly error?: string | undefined
  readonly body: Markup
}

function page({ phone }: Shop, { heading, error, body }: Parts): WrittenPage {
  const main = html`<main id="main" tabindex="-1" class="visit">
    <section class="visit-sky visit-alone">
      <div class="page-width visit-text">
        ${pageHeading(heading, error === undefined)}${body}
        <p class="visit-hint">
          No email address on file? Call <a href="${phone.href}">${phone.display}</a> and we'll find
          your appointment.
        </p>
      </div>
    </section>
  </main>`
  return { title: error ?? heading, main }
}
