import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { noticeBox, pageHeading, postTo } from '#server/features/visit-page/page/page-result.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { WrittenPage } from '#server/platform/http/pages/page-frame.ts'
import { type DecisionForm, initialDecision } from './decision-form.ts'
import {
  renderDeclineDialog,
  nameMissing,
  renderTotalBar,
  renderDecision,
} from './decision-section.ts'
import { renderJob } from './job-section.ts'
import { renderAuthorizations } from './authorization-section.ts'
import { estimateCaption, estimateHeadings } from './estimate-text.ts'

/** The input of the estimate page. */
export type EstimatePageInput = {
  readonly shop: Shop
  readonly sentRevision: SentRevision
  /** The path '/estimate/<token>', to which the forms of the page are sent. */
  readonly path: string
  /** The choices and the name from a submitted form. */
  readonly choice?: DecisionForm | undefined
  readonly isNameMissing?: boolean
  /** The reason why the customer has to review the estimate again, or the result of the last action. */
  readonly notice?: string | undefined
  /** The progress of the vehicle, when a visit page shows the estimate. */
  readonly life?: Markup | undefined
}

/** Renders the estimate page for the customer: each job with its reason, its price and its choice. */
export function renderEstimatePage(page: EstimatePageInput): WrittenPage {
  const { shop, sentRevision, notice, life, isNameMissing = false } = page
  const { heading, lead } = estimateHeadings(sentRevision, shop)
  const title = isNameMissing ? nameMissing : (notice ?? heading)
  const main = html`<main id="main" tabindex="-1" class="visit estimate-page">
    <section class="visit-sky">
      <div class="page-width visit-top">
        <div class="visit-text">
          ${noticeBox(notice)}
          <p class="visit-whose">${customerAndVehicle(sentRevision)}</p>
          ${pageHeading(heading, title === heading)}
          <p class="visit-lead">${lead}</p>
          ${life}
        </div>
      </div>
    </section>
    ${sentRevision.state === 'open' ? writeOpen(page) : writeDone(page)}
  </main>`
  return { title, main }
}

const privately =
  'Anyone with this link can approve work for you. Share it only with people you trust.'

/** A text such as 'Maria Delgado, 2019 Subaru Outback', in which no address becomes a link. */
function customerAndVehicle({
  customerName,
  vehicle: { year, make, model },
}: SentRevision): string {
  const vehicleLabel = [year, make, model].filter(Boolean).join(' ')
  return withoutLinks(
    oneUntrustedLine([customerName, vehicleLabel].filter(Boolean).join(', '), 160),
  )
}

function writeOpen({
  shop,
  sentRevision,
  path,
  choice,
  isNameMissing = false,
}: EstimatePageInput): Markup {
  const chosen = choice ?? initialDecision(sentRevision)
  return html`<form
      class="page-width estimate-body"
      method="post"
      action="${postTo(`${path}/approve`)}"
      data-estimate="${path}"
      novalidate
    >
      <div class="estimate-jobs">
        ${noteOf(sentRevision)}${sentRevision.jobs.map((job) => renderJob(sentRevision, job, chosen))}
        ${renderSender(sentRevision, path, privately)}
      </div>
      <div class="estimate-side">
        ${renderDecision(shop, sentRevision, { choice: chosen, path, isNameMissing })}
      </div>
    </form>
    ${renderTotalBar(sentRevision, chosen)}${renderDeclineDialog(sentRevision, path)}`
}

function writeDone({ sentRevision, path }: EstimatePageInput): Markup {
  return html`<div class="page-width estimate-body">
    <div class="estimate-jobs">
      ${noteOf(sentRevision)}${sentRevision.jobs.map((job) => renderJob(sentRevision, job, undefined))}
      ${renderSender(sentRevision, path)}
    </div>
    <div class="estimate-side">${renderAuthorizations(sentRevision)}</div>
  </div>`
}

/** Renders the shop, the number of the estimate, and the link to its PDF. */
function renderSender(sentRevision: SentRevision, path: string, warning = ''): Markup {
  return html`<p class="estimate-from">
    ${estimateCaption(sentRevision)} ${warning}
    <a href="${path}/estimate.pdf">Open as PDF</a>
  </p>`
}

function noteOf({ customerNote }: SentRevision): Markup | undefined {
  return customerNote === '' ? undefined : html`<p class="estimate-note">${customerNote}</p>`
}
