import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { pageHeading } from '#server/features/visit-page/page/page-result.ts'
import { actionButton, phoneLink } from '#server/features/visit-page/page/markup.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'

/** What `internal.read_address_question` returns. */
export type AddressQuestion = {
  readonly state: 'open' | 'answered' | 'closed'
  /** The email address from the booking form. */
  readonly email: string
  /** Shop time, as 'yyyy-MM-dd' and 'HH:mm:ss'. */
  readonly date: string
  readonly time: string
}

/**
 * Renders the page that asks a customer whether an email address is theirs. The page shows no other detail of the
 * booking.
 */
export function writeAddressPage(shop: Shop, question: AddressQuestion, path: string): WrittenPage {
  const heading = headings[question.state]
  const main = html`<main id="main" tabindex="-1" class="visit">
    <section class="visit-sky visit-alone">
      <div class="page-width visit-text">
        ${pageHeading(heading)}${pageTexts[question.state](shop, question, path)}
      </div>
    </section>
  </main>`
  return { title: heading, main }
}

const headings: Readonly<Record<AddressQuestion['state'], string>> = {
  open: 'Is this your email address?',
  answered: 'Thank you',
  closed: 'There is nothing left to confirm',
}

type PageText = (shop: Shop, question: AddressQuestion, path: string) => Markup

const pageTexts: Readonly<Record<AddressQuestion['state'], PageText>> = {
  open: (shop, { email, date, time }, path) =>
    html`<p class="visit-lead visit-address"><b>${email}</b></p>
      <p>
        Someone booked online for ${formatLongDate(date)} at ${formatTime(time)} with your name and
        phone number, and typed this address. If it is yours, we add it to your addresses and can
        send estimates there.
      </p>
      <div class="visit-actions">
        ${actionButton(path, {
          action: 'confirm',
          fields: {},
          label: 'Yes, that is my address',
          busy: 'Saving…',
          variant: 'primary',
        })}
      </div>
      <p class="visit-hint">
        Not yours? Ignore this page and we won't use it. If you did not book this appointment,
        please call ${phoneLink(shop)}.
      </p>`,
  answered: (shop, { email }) =>
    html`<p class="visit-lead visit-address">
        You confirmed <b>${email}</b> as one of your addresses.
      </p>
      <p class="visit-hint">Was that a mistake? Please call ${phoneLink(shop)}.</p>`,
  closed: (shop) =>
    html`<p class="visit-lead">
        We know this address already, or the appointment it came with was cancelled.
      </p>
      <p class="visit-hint">Questions? Call ${phoneLink(shop)}.</p>`,
}
