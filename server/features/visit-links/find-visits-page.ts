import type { Shop } from '#domain/shop.ts'
import { html, type Markup } from '#server/platform/http/html.ts'

/** Asks for the address of whoever lost the link; `typed` is what was no address. */
export function writeFindVisitsPage(shop: Shop, typed?: string): Markup {
  const error = typed === undefined ? undefined : 'Please enter a valid email address.'
  return page(
    shop,
    html`<h1 tabindex="-1">Find my appointment</h1>
      <p class="visit-lead">We'll email you the links to your upcoming appointments.</p>
      <form method="post" action="/visit" class="visit-find" novalidate>
        <label class="field-label" for="email">The email address you booked with</label>
        <input
          class="input"
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          maxlength="254"
          required
          value="${typed ?? ''}"
          ${error && html`aria-invalid="true" aria-describedby="email-error"`}
        />
        ${error && html`<p class="field-error" id="email-error" role="alert">${error}</p>`}
        <button class="button button-primary" type="submit" data-busy="Sending…">
          Email me the links
        </button>
      </form>`,
  )
}

/** The same for every address: whether it has an appointment is between the shop and its mailbox. */
export function writeAskedPage(shop: Shop): Markup {
  return page(
    shop,
    html`<h1 tabindex="-1">Check your inbox</h1>
      <p class="visit-lead">
        If this address has upcoming appointments with us, an email with the links is on its way. It
        may take a few minutes, and we send it at most once an hour.
      </p>`,
  )
}

export function writeTooOftenPage(shop: Shop): Markup {
  return page(
    shop,
    html`<h1 tabindex="-1">Too many attempts</h1>
      <p class="visit-lead">Please wait a while and try again, or call us.</p>`,
  )
}

function page({ phone }: Shop, words: Markup): Markup {
  return html`<main id="main" tabindex="-1" class="visit">
    <section class="visit-sky visit-alone">
      <div class="page-width visit-say">
        ${words}
        <p class="visit-hint">
          No email address on file? Call <a href="${phone.href}">${phone.display}</a> and we'll find
          your appointment.
        </p>
      </div>
    </section>
  </main>`
}
