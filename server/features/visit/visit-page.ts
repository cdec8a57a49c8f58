import { formatLongDate } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { addressLine, type Shop } from '#domain/shop.ts'
import { formatShopTime, shopZoneName } from '#domain/shop-time.ts'
import { html, type Markup } from '#server/platform/http/html.ts'
import type { Visit, VisitState } from './read-visit.ts'

type Words = { readonly heading: string; readonly lead: string }

const words: Readonly<Record<Exclude<VisitState, 'held'>, Words>> = {
  confirmed: {
    heading: 'Your appointment is confirmed',
    lead: 'We look forward to seeing you and your car.',
  },
  lapsed: {
    heading: 'Please confirm your appointment',
    lead: 'The half hour in which we held this time is over, but it is still free. Confirm it, and it is yours.',
  },
  lost: {
    heading: 'This time is gone',
    lead: 'The half hour in which we held it is over, and it can no longer be booked. Please pick another time.',
  },
  cancelled: {
    heading: 'This appointment was cancelled',
    lead: 'Do you still want to come? Please book a new one.',
  },
  done: { heading: 'This visit is done', lead: 'Thank you for bringing your car to us.' },
  over: {
    heading: 'This appointment has passed',
    lead: 'Do you still need us? Please book a new one.',
  },
}

/** The page of a booking: what, when, where, how it stands, and the one thing to do about it. */
export function writeVisitPage(shop: Shop, visit: Visit, confirmPath: string): Markup {
  const { heading, lead } = wordsOf(visit)
  return html`<h1 tabindex="-1">${heading}</h1>
    <p class="success-lead">${lead}</p>
    ${factsOf(shop, visit)}
    <div class="button-row">${actionOf(visit.state, confirmPath)}</div>
    <p class="visit-help">${helpOf(shop, visit.state)}</p>`
}

function wordsOf({ state, heldUntil }: Visit): Words {
  if (state !== 'held') return words[state]
  const until = heldUntil === null ? 'soon' : formatShopTime(new Date(heldUntil))
  return {
    heading: 'Please confirm your appointment',
    lead: `We hold this time for you until ${until}. One click makes it yours.`,
  }
}

function factsOf(shop: Shop, { date, time, serviceName }: Visit): Markup {
  const facts = [
    ['Date', formatLongDate(date)],
    ['Time', `${formatTime(time)} shop time (${shopZoneName(shop.timeZone)})`],
    ['Service', serviceName],
    ['Where', addressLine(shop)],
  ] as const
  const rows = facts.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  )
  return html`<dl class="card summary booked-summary">${rows}</dl>`
}

function actionOf(state: VisitState, confirmPath: string): Markup | undefined {
  if (isConfirmable(state)) {
    return html`<form method="post" action="${confirmPath}">
      <button class="button button-primary" type="submit">Confirm Appointment</button>
    </form>`
  }
  if (state === 'confirmed') return undefined
  return html`<a class="button button-primary" href="/book-appointment"
    >Book Another Appointment</a
  >`
}

function helpOf(shop: Shop, state: VisitState): Markup {
  const phone = html`<a href="${shop.phone.href}">${shop.phone.display}</a>`
  if (isConfirmable(state)) {
    return html`You did not ask for it? Do nothing: without your click the time is free for others.
    Questions? Call ${phone}.`
  }
  if (state === 'confirmed') return html`Need another time, or to cancel? Please call ${phone}.`
  return html`Questions? Call ${phone}.`
}

const isConfirmable = (state: VisitState) => state === 'held' || state === 'lapsed'

const refusals = {
  too_many: {
    heading: 'Please call us to confirm',
    lead: 'You have as many appointments ahead as we take online. On the phone we gladly take this one too.',
  },
  too_often: {
    heading: 'Too many tries',
    lead: 'Please wait a few minutes and open the link again, or call us.',
  },
} as const satisfies Record<string, Words>

/** A page of one sentence where the click could not be taken. */
export function writeRefusalPage(shop: Shop, refusal: keyof typeof refusals): Markup {
  const { heading, lead } = refusals[refusal]
  return html`<h1 tabindex="-1">${heading}</h1>
    <p class="success-lead">${lead}</p>
    <div class="button-row">
      <a class="button button-primary" href="${shop.phone.href}">Call ${shop.phone.display}</a>
    </div>`
}
