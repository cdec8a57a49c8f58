import type { Shop } from '#domain/shop/shop.ts'
import { type VisitButton, vehicleTable } from '#domain/bookings/vehicle-state-table.ts'
import { formatShortDateTime } from '#domain/calendar/date-time-text.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'
import { cancellationReasons } from '../actions/cancellation-reasons.ts'
import { pageHeading, postTo, resultAttributes } from './page-result.ts'
import type { VisitPageData } from '../read-visit-page.ts'
import { actionButton, phoneLink } from './markup.ts'
import { type Done, isExplained, attendanceThanks, thanksForReason } from './notices.ts'
import { cancellationOf } from './visit-page-text.ts'
import type { VisitPageInput } from './visit-page-input.ts'

/** Renders the actions that the customer can take now. */
export function renderActions(page: VisitPageInput): Markup | undefined {
  return actionRenderers[buttonOf(page.booking)](page)
}

/**
 * Chooses the main button. An appointment whose time passed without an arrival, or a hold whose time is taken, offers a
 * new booking (docs/product.md 12.14).
 */
function buttonOf({ state, hasStarted, isTimeFree }: VisitPageData): VisitButton {
  const isTooLate =
    (state === 'expected' && hasStarted) ||
    (state === 'not_confirmed' && (hasStarted || !isTimeFree))
  return isTooLate ? 'book_another' : vehicleTable[state].visitButton
}

const actionRenderers: Readonly<Record<VisitButton, (page: VisitPageInput) => Markup | undefined>> =
  {
    confirm: renderHeldActions,
    attend: renderExpectedActions,
    restore: renderCancelledActions,
    book_another: () =>
      html`<div class="visit-actions"><div class="visit-buttons">${bookAnother}</div></div>`,
    // The amount to pay, or the paid one, appears wherever there is an invoice (repair-markup.ts).
    pay: () => undefined,
    receipt: () => undefined,
    none: () => undefined,
  }

const bookAnother = html`<a class="button button-primary" href="/book-appointment"
  >Book another time</a
>`

function renderExpectedActions({ shop, booking, path, done }: VisitPageInput): Markup {
  const { mayChange, mayCancel, hasConfirmedAttendance, sequence } = booking
  const come = actionButton(path, {
    action: 'attend',
    fields: { seen: sequence },
    label: 'I’ll be there',
    busy: 'Sending…',
    variant: 'primary',
  })
  const prompt = hasConfirmedAttendance
    ? thanks(attendanceThanks(booking), done === 'attendance_confirmed')
    : html`<p class="visit-question">Can you make it?</p>`
  return html`<div class="visit-actions">
    ${prompt}
    <div class="visit-buttons">
      ${!hasConfirmedAttendance && come}
      ${mayChange && html`<a class="button button-secondary" href="${path}/change">Change time</a>`}
    </div>
    ${mayCancel && html`<a class="button button-quiet" href="${path}/cancel" data-dialog="cancel-visit">Cancel this appointment</a>`}
    ${!mayChange && !mayCancel && tooClose(shop)}
  </div>`
}

const tooClose = (shop: Shop) =>
  html`<p class="visit-close">
    It's too late to change this online. Please call ${phoneLink(shop)}.
  </p>`

function renderHeldActions({ shop, path }: VisitPageInput): Markup {
  const confirm = actionButton(path, {
    action: 'confirm',
    fields: {},
    label: 'Confirm Appointment',
    busy: 'Confirming…',
    variant: 'primary',
  })
  return html`<div class="visit-actions">
    <div class="visit-buttons">${confirm}</div>
    <p class="visit-hint">
      Didn't request this? Ignore it and the time will be released. Questions? Call
      ${phoneLink(shop)}.
    </p>
  </div>`
}

/** A message that stays on the page; it is announced as the result directly after the action. */
const thanks = (text: string, isResult: boolean) =>
  html`<p class="visit-message" ${isResult && resultAttributes}>${text}</p>`

function renderCancelledActions({ booking, path, done }: VisitPageInput): Markup {
  const { date, time, sequence, canRestore } = booking
  const back = actionButton(path, {
    action: 'restore',
    fields: { seen: sequence },
    label: `Restore ${formatShortDateTime(date, time).replace(',', '')}`,
    busy: 'Restoring…',
    variant: 'secondary',
  })
  const until = html`<p class="visit-hint">
    You can restore it as long as the time is still available.
  </p>`
  return html`<div class="visit-actions">
      <div class="visit-buttons">${bookAnother}${canRestore && back}</div>
      ${canRestore && until}
    </div>
    ${question(booking, path, done)}`
}

/** Asks for the reason of a cancellation by the customer, once for each cancellation. */
function question(
  booking: VisitPageData,
  path: string,
  done: Done | undefined,
): Markup | undefined {
  if (cancellationOf(booking)?.source !== 'customer') return undefined
  if (isExplained(booking)) return thanks(thanksForReason, done === 'reason_saved')
  const chips = cancellationReasons.map(
    (reason) =>
      html`<button class="visit-chip" type="submit" name="reason" value="${reason}">
        ${reason}
      </button>`,
  )
  return html`<form class="card panel visit-why" method="post" action="${postTo(`${path}/reason`)}">
    <h2 id="why">Why did you cancel? (optional)</h2>
    <div class="visit-chips" role="group" aria-labelledby="why">${chips}</div>
    <p class="hint">Only the shop sees this.</p>
  </form>`
}

/**
 * Renders the dialog that confirms a cancellation. A script opens it; without JavaScript, the page /cancel replaces it.
 */
export function renderCancelDialog(page: VisitPageInput): Markup | undefined {
  if (!page.booking.mayCancel) return undefined
  return html`<dialog class="visit-dialog" id="cancel-visit" aria-labelledby="cancel-title">
    <h2 id="cancel-title">${cancelQuestion(page.booking)}</h2>
    <p>${whatCancelDoes(page)}</p>
    <div class="visit-buttons">
      <form method="dialog">
        <button class="button button-secondary" autofocus>Keep my appointment</button>
      </form>
      ${cancelButton(page)}
    </div>
  </dialog>`
}

/** Renders the confirmation of a cancellation as a page. */
export function renderCancelPage(page: VisitPageInput): WrittenPage {
  const title = cancelQuestion(page.booking)
  const main = html`<main id="main" tabindex="-1" class="visit">
    <section class="visit-sky">
      <div class="page-width visit-top">
        <div class="visit-text">
          ${pageHeading(title)}
          <p class="visit-lead">${whatCancelDoes(page)}</p>
          <div class="visit-actions">
            <div class="visit-buttons">
              <a class="button button-secondary" href="${page.path}">Keep my appointment</a
              >${cancelButton(page)}
            </div>
          </div>
        </div>
      </div>
    </section>
  </main>`
  return { title, main }
}

const cancelQuestion = ({ date, time }: VisitPageData) =>
  `Cancel ${formatShortDateTime(date, time)}?`

/** A cancellation does not void an existing invoice, so the text then mentions no charge. */
const whatCancelDoes = ({ work }: VisitPageInput) =>
  work?.hasInvoice
    ? 'Your time becomes available to others. You can restore the appointment while the time is still available.'
    : 'Your time becomes available to others. There is no charge, and you can restore the appointment while the time is still available.'

const cancelButton = ({ booking, path }: VisitPageInput) =>
  actionButton(path, {
    action: 'cancel',
    fields: { seen: booking.sequence },
    label: 'Cancel appointment',
    busy: 'Cancelling…',
    variant: 'danger',
  })
