import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { cityAndState, type Shop } from '#domain/shop/shop.ts'
import { vehicleLine, vehicleName } from '#domain/customers/vehicle.ts'
import { shopZoneName } from '#domain/calendar/shop-time.ts'
import { vehicleTable } from '#domain/bookings/vehicle-state-table.ts'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import { untrustedLines, oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { renderAuthorizations } from '#server/features/estimates/page/authorization-section.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'
import { renderActions, renderCancelDialog } from './action-section.ts'
import { noticeBox, pageHeading } from './page-result.ts'
import { icon, letterhead, phoneLink } from './markup.ts'
import { thanksFor } from './notices.ts'
import type { VisitPageData } from '../read-visit-page.ts'
import type { RepairStatus } from '../read-repair-status.ts'
import { renderDeferredJobs, renderEstimateLink, renderPayment } from './repair-markup.ts'
import { vehicleStateText } from './vehicle-state-text.ts'
import type { VisitPageInput } from './visit-page-input.ts'
import { repairHistoryTexts } from './repair-text.ts'
import {
  cancellationOf,
  weekdayName,
  isAhead,
  formatStampDateTime,
  historyTexts,
} from './visit-page-text.ts'

/** The input of the whole page; without the repair, the page could contradict the invoice. */
export type VisitPage = VisitPageInput & { readonly work: RepairStatus }

/** Renders the visit page: service, time, place, state, and the available actions. */
export function renderVisitPage(page: VisitPage): WrittenPage {
  const { booking, work, shop, notice, done } = page
  const { heading, lead } = vehicleStateText({ shop, booking, work })
  const record = work?.sentRevision && renderAuthorizations(work.sentRevision)
  const ownerText = [booking.customerName, vehicleName(booking)].filter(Boolean).join(', ')
  const result = notice ?? thanksFor(done, booking)
  const main = html`<main id="main" tabindex="-1" class="visit">
    ${letterhead(page.shop)}
    <section class="visit-sky">
      <div class="page-width visit-top">
        <div class="visit-text">
          ${noticeBox(notice)}
          ${ownerText !== '' && html`<p class="visit-whose">${untrustedLine(ownerText)}</p>`}
          ${pageHeading(heading, result === undefined)}
          <p class="visit-lead">${lead}</p>
          ${renderProgress(booking)}${work && renderEstimateLink(work)}${work && renderPayment(work)}${renderActions(page)}
        </div>
        <aside class="visit-side" aria-label="About this appointment">
          ${record}${quickLinks(page)}${renderDetails(page)}
        </aside>
      </div>
    </section>
    ${bodyOf(page)}${isAhead(booking) && renderCancelDialog(page)}
  </main>`
  return { title: result ?? heading, main }
}

const untrustedLine = (text: string) => withoutLinks(oneUntrustedLine(text, 160))

const stages = ['Booked', 'Here', 'Estimate', 'Work', 'Ready'] as const
/** The progress stage 'Estimate', while the customer decides. */
export const stageOfEstimate = 2

/** Renders the progress of the vehicle by its state, or with `now` as the current stage on a page with an estimate. */
export function renderProgress(
  booking: VisitPageData,
  now: number | null = stageOf(booking),
): Markup | undefined {
  if (now === null) return undefined
  const steps = stages.map((name, nth) =>
    nth === now
      ? html`<li class="visit-stage-on" aria-current="step"><i></i><b>${name}</b></li>`
      : html`<li class="${nth < now ? 'visit-stage-on' : ''}"><i></i><span>${name}</span></li>`,
  )
  return html`<ol class="visit-progress" aria-label="Progress">
    ${steps}
  </ol>`
}

const stageOf = ({ state, hasStarted }: VisitPageData) =>
  state === 'expected' && hasStarted ? null : vehicleTable[state].stage

function quickLinks({ shop, booking, path }: VisitPageInput): Markup {
  const to = encodeURIComponent(
    `${shop.address.street}, ${cityAndState(shop)} ${shop.address.postalCode}`,
  )
  const calendar =
    isAhead(booking) &&
    html`<li>
      <a href="${path}/appointment.ics">${icon('calendar')}<span>Add to calendar</span></a>
    </li>`
  return html`<ul class="visit-quick">
    ${calendar}
    <li>
      <a href="https://www.openstreetmap.org/search?query=${to}" rel="noreferrer"
        >${icon('pin')}<span>Directions</span></a
      >
    </li>
    <li>
      <a href="${shop.phone.href}">${icon('phone')}<span>Call us</span></a>
    </li>
  </ul>`
}

type Detail = readonly [name: string, value: Markup | string]

function renderDetails({ shop, booking }: VisitPageInput): Markup {
  const details =
    booking.state === 'cancelled' ? cancelledDetails(booking) : detailsOfBooking(shop, booking)
  const vehicleLabel = vehicleLine(booking)
  const all: readonly Detail[] = [
    ...details,
    ...(vehicleLabel === '' ? [] : [['Vehicle', untrustedLine(vehicleLabel)] as const]),
    ...(booking.notes
      ? [['Your note', withoutLinks(untrustedLines(booking.notes, 600))] as const]
      : []),
  ]
  const rows = all.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  )
  return html`<dl class="card summary visit-details">${rows}</dl>`
}

function detailsOfBooking(
  shop: Shop,
  { date, time, durationMinutes, serviceName }: VisitPageData,
): Detail[] {
  const at = `${formatTime(time)} shop time (${shopZoneName(shop.timeZone)}), about ${formatDuration(durationMinutes)}`
  const { street, postalCode } = shop.address
  return [
    ['When', html`${formatLongDate(date)}<br />${at}`],
    ['What', serviceName],
    ['Where', html`${street}<br />${cityAndState(shop)} ${postalCode}`],
  ]
}

function cancelledDetails(booking: VisitPageData): Detail[] {
  const cancelled = cancellationOf(booking)
  const by = cancelled?.source === 'customer' ? 'By you' : 'By the shop'
  return [
    ['Was', html`<s>${formatDateTime(booking.date, booking.time)}</s>`],
    ['What', booking.serviceName],
    ...(cancelled ? [['Cancelled', `${by}, ${formatStampDateTime(cancelled.at)}`] as const] : []),
  ]
}

function bodyOf(page: VisitPageInput): Markup {
  const { booking, work } = page
  const history = renderHistory(booking, work)
  const steps = isAhead(booking) && whatHappens(page)
  return html`<section class="page-width visit-body">
    <div class="visit-parts">${steps}${history}</div>
    <div class="visit-note">
      ${booking.state.startsWith('ready') && work && renderDeferredJobs(work)}${untilOf(page)}${renderPrintNote(page)}${privately(page)}
    </div>
  </section>`
}

function whatHappens({ shop, booking }: VisitPageInput): Markup {
  const steps = [
    ['You bring the car', `To ${shop.address.street}. Give us the key; wait here or go.`],
    ['We look at it', `${booking.serviceName}, about ${formatDuration(booking.durationMinutes)}.`],
    ['You see the price first', "We don't start anything you haven't agreed to."],
  ] as const
  const items = steps.map(
    ([name, text]) =>
      html`<li>
        <b>${name}</b>
        <p>${text}</p>
      </li>`,
  )
  return html`<div>
    <h2>What happens ${weekdayName(booking.date)}</h2>
    <ol class="visit-steps">
      ${items}
    </ol>
  </div>`
}

function renderHistory(booking: VisitPageData, work: RepairStatus | undefined): Markup | undefined {
  const lines = historyTexts(booking, work && repairHistoryTexts(work))
  if (lines.length === 0) return undefined
  const items = lines.map(
    ({ at, text }) => html`<li><b>${text}</b><span class="muted">${at}</span></li>`,
  )
  return html`<div>
    <h2>History</h2>
    <ol class="visit-timeline">
      ${items}
    </ol>
  </div>`
}

function untilOf({ shop, booking }: VisitPageInput): Markup | undefined {
  const { mayChange, mayCancel, changeUntil, cancelUntil } = booking
  if (!isAhead(booking) || !(mayChange || mayCancel)) return undefined
  const call = html`After that, please call ${phoneLink(shop)}.`
  if (changeUntil === cancelUntil) {
    return html`<p>
      You can change or cancel here until <b>${formatStampDateTime(changeUntil)}</b>. ${call}
    </p>`
  }
  const change =
    mayChange &&
    html`You can change the time here until <b>${formatStampDateTime(changeUntil)}</b>. `
  const cancel =
    mayCancel && html`You can cancel here until <b>${formatStampDateTime(cancelUntil)}</b>. `
  return html`<p>${change}${cancel}${call}</p>`
}

/** The printed note names no deadline, because a deadline on paper may already have passed. */
function renderPrintNote({ shop, booking }: VisitPageInput): Markup | undefined {
  if (!isAhead(booking)) return undefined
  return html`<p class="visit-printed">
    To change or cancel it, call ${shop.phone.display}, or open your private link in time.
  </p>`
}

const privately = ({ work }: VisitPageInput) =>
  html`<p class="visit-privately">
    ${icon('lock')}<span
      >Anyone with this link can change your
      appointment${work?.sentRevision?.state === 'open' && ' and answer its estimate'}. Share it
      only with people you trust.</span
    >
  </p>`
