import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { pageHeading, postTo, refusedField } from '#server/features/visit-page/page/page-result.ts'
import { phoneLink } from '#server/features/visit-page/page/markup.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'
import {
  type DecisionForm,
  isDecided,
  isApproved,
  nameOf,
  type SentJob,
  decisionTotal,
} from './decision-form.ts'
import { formatJobCount } from './estimate-text.ts'

export const nameMissing = 'Please type your name.'

export const approvalLimitText = 'You approve up to this amount. We ask again before we go over it.'

/**
 * Renders the end of the form: the total of the chosen jobs, the field for the name, and the button with the amount.
 */
export function renderDecision(
  shop: Shop,
  sentRevision: SentRevision,
  { choice, path, isNameMissing }: { choice: DecisionForm; path: string; isNameMissing: boolean },
): Markup {
  const cents = decisionTotal(sentRevision, choice)
  return html`<section class="card estimate-sum" id="decide" aria-labelledby="decide-title">
    <h2 id="decide-title" class="card-heading">Your decision</h2>
    ${sumOf(sentRevision, choice, cents)}${nameField(choice, isNameMissing)}
    <label class="checkbox"
      ><input type="checkbox" name="parts-back" value="yes" ${choice.wantsPartsBack && checked} />I
      want the replaced parts back</label
    >
    <input type="hidden" name="revision" value="${sentRevision.revisionHash}" />
    <input
      type="hidden"
      name="shown"
      value="${cents}"
      data-shown="${sentRevision.authorizedCents}"
    />
    ${approveButton(choice, cents)}
    <a
      class="button button-quiet"
      href="${path}/decline"
      data-dialog="decline-estimate"
      data-decline
      >${choice.approved.size === 0 ? 'Decline' : 'Decline everything'}</a
    >
    <h3>What happens next</h3>
    <ol class="estimate-then">
      <li>We start with what you approved.</li>
      <li>You get an email that lists what you approved, if we have your address.</li>
      <li>You pay when the work is done.</li>
    </ol>
    <p class="hint">Questions first? Call ${phoneLink(shop)}.</p>
  </section>`
}

const checked = html`checked`

/**
 * Renders the button 'Approve $412.37'. The button is hidden while no job is chosen, so that 'Decline' is the only one.
 * A script updates both after each choice; without JavaScript, a button without an amount submits the choice.
 */
function approveButton({ approved }: DecisionForm, cents: number): Markup {
  const isEmpty = approved.size === 0
  return html`<div data-approve ${isEmpty && html`hidden`}>
      <button class="button button-primary button-large" type="submit" data-busy="Approving…">
        Approve ${formatCents(cents)}
      </button>
      <p class="estimate-limit">${approvalLimitText}</p>
    </div>
    ${
      isEmpty &&
      html`<noscript>
        <button class="button button-secondary" type="submit">Approve the jobs I chose</button>
      </noscript>`
    }`
}

function sumOf(sentRevision: SentRevision, choice: DecisionForm, cents: number): Markup {
  const wanted = sentRevision.jobs.filter((job) => isApproved(sentRevision, choice, job))
  const rows = sentRevision.jobs.map((job) => rowOf(sentRevision, job, wanted.includes(job)))
  return html`<dl class="estimate-totals">
    ${rows}${renderRemovedJobs(sentRevision)}
    <div class="estimate-all">
      <dt>
        <span data-count>${formatJobCount(wanted.length, sentRevision.jobs.length)}</span>, tax
        included
      </dt>
      <dd data-total>${formatCents(cents)}</dd>
    </div>
  </dl>`
}

/** Renders the row of a job in the total. A script switches between the two texts in the data attributes. */
function rowOf(sentRevision: SentRevision, job: SentJob, isOn: boolean): Markup {
  const isBefore = isDecided(sentRevision, job)
  const before = formatCents(job.authorizedCents)
  const on = isBefore ? before : formatCents(job.totalCents)
  const off = job.authorizedCents > 0 ? before : 'not now'
  return html`<div class="${!isOn && 'estimate-off'}" data-job="${nameOf(job.key)}">
    <dt>
      ${job.title}${isBefore && html`<small>${isOn ? 'already approved' : 'already decided'}</small>`}
    </dt>
    <dd ${!isBefore && html`data-on="${on}" data-off="${off}"`}>${isOn ? on : off}</dd>
  </div>`
}

/** Renders the approved amount of jobs that the estimate no longer contains. */
function renderRemovedJobs({ jobs, authorizedCents }: SentRevision): Markup | undefined {
  const removedCents = jobs.reduce((rest, job) => rest - job.authorizedCents, authorizedCents)
  if (removedCents <= 0) return undefined
  return html`<div>
    <dt>Other jobs<small>already approved</small></dt>
    <dd>${formatCents(removedCents)}</dd>
  </div>`
}

function nameField({ decidedByName }: DecisionForm, isMissing: boolean): Markup {
  const { attributes, message } = refusedField('decidedBy', isMissing ? nameMissing : undefined)
  return html`<div class="field">
    <label for="decidedBy"
      >Type your name to approve <span class="required-mark" aria-hidden="true">*</span></label
    >
    <input
      class="input"
      id="decidedBy"
      name="decidedBy"
      autocomplete="name"
      maxlength="100"
      required
      value="${decidedByName}"
      ${attributes}
    />
    ${message}
  </div>`
}

/** Renders the dialog that confirms a decline. A script opens it; without JavaScript, the page /decline replaces it. */
export function renderDeclineDialog(sentRevision: SentRevision, path: string): Markup {
  return html`<dialog class="visit-dialog" id="decline-estimate" aria-labelledby="decline-title">
    <h2 id="decline-title">${declineQuestion}</h2>
    <p>${whatDeclineDoes(sentRevision)}</p>
    <div class="visit-buttons">
      <form method="dialog">
        <button class="button button-quiet" autofocus>Go back</button>
      </form>
      ${declineForm(sentRevision, path)}
    </div>
  </dialog>`
}

/** Renders the confirmation of a decline as a page. */
export function renderDeclinePage(sentRevision: SentRevision, path: string): WrittenPage {
  const main = html`<main id="main" tabindex="-1" class="visit">
    <section class="visit-sky visit-alone">
      <div class="page-width visit-text">
        ${pageHeading(declineQuestion)}
        <p class="visit-lead">${whatDeclineDoes(sentRevision)}</p>
        <div class="visit-actions">
          <div class="visit-buttons">
            <a class="button button-quiet" href="${path}">Go back</a>
            ${declineForm(sentRevision, path)}
          </div>
        </div>
      </div>
    </section>
  </main>`
  return { title: declineQuestion, main }
}

const declineQuestion = 'Decline this estimate?'

function whatDeclineDoes({ authorizedCents }: SentRevision): string {
  return authorizedCents > 0
    ? `We won't do any of these jobs. What you already approved stays approved: ${formatCents(authorizedCents)}.`
    : "We won't do any of these jobs, and the shop is notified right away. You can still call us."
}

function declineForm({ revisionHash }: SentRevision, path: string): Markup {
  return html`<form method="post" action="${postTo(`${path}/decline`)}">
    <input type="hidden" name="revision" value="${revisionHash}" />
    <button class="button button-secondary" type="submit" data-busy="Declining…">Decline</button>
  </form>`
}

/** Renders the total, which stays at the bottom of the screen on a phone. */
export function renderTotalBar(sentRevision: SentRevision, choice: DecisionForm): Markup {
  const wanted = sentRevision.jobs.filter((job) => isApproved(sentRevision, choice, job))
  return html`<div class="estimate-bar">
    <span
      ><small data-count>${formatJobCount(wanted.length, sentRevision.jobs.length)}</small
      ><b data-total>${formatCents(decisionTotal(sentRevision, choice))}</b></span
    >
    <a class="button button-primary" href="#decide">Review and approve</a>
  </div>`
}
