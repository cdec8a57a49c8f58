import type { Authorization, SentRevision } from '#contracts/estimates/estimates.ts'
import { formatAuthorization } from '#domain/estimates/authorization-text.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import { approvalLimitText } from './decision-section.ts'

/**
 * Renders the decision on each job: its amount, who decided, how and when. If a job is approved, the amounts add up to
 * the approved total.
 */
export function renderAuthorizations({
  authorizations,
  authorizedCents,
}: SentRevision): Markup | undefined {
  if (authorizations.length === 0) return undefined
  const decided = latestOfJobs(authorizations)
  const isApproved = decided.some(({ line }) => line.decision === 'approved')
  const rows = decided.map(
    ({ line, cents }) =>
      html`<div class="${cents === 0 && 'estimate-off'}">
        <dt>${line.jobTitle}<small>${formatAuthorization(line)}</small></dt>
        <dd>${cents > 0 || line.decision === 'approved' ? formatCents(cents) : 'not now'}</dd>
      </div>`,
  )
  return html`<section class="card estimate-sum" aria-labelledby="record-title">
    <h2 id="record-title" class="card-heading">
      ${isApproved ? 'What you approved' : 'Your answer'}
    </h2>
    <dl class="estimate-totals">
      ${rows}
      ${
        isApproved &&
        html`<div class="estimate-all">
          <dt>Approved so far</dt>
          <dd>${formatCents(authorizedCents)}</dd>
        </div>`
      }
    </dl>
    ${partsBack(authorizations)}${isApproved && html`<p class="estimate-limit">${approvalLimitText}</p>`}
  </section>`
}

type Decided = { readonly line: Authorization; readonly cents: number }

/** Returns the authorization that applies to each job. A later 'declined' does not revoke an earlier approval. */
function latestOfJobs(authorizations: readonly Authorization[]): Decided[] {
  const decided = new Map<string, Decided>()
  for (const line of authorizations.toSorted((one, other) => one.id - other.id)) {
    const before = decided.get(line.jobKey)
    const isStill = line.decision === 'declined' && before !== undefined && before.cents > 0
    const cents = line.decision === 'approved' ? line.amountCents : 0
    if (!isStill) decided.set(line.jobKey, { line, cents })
  }
  return [...decided.values()]
}

function partsBack(authorizations: readonly Authorization[]): Markup | undefined {
  const arePartsWanted = authorizations.some(({ wantsPartsBack }) => wantsPartsBack)
  return arePartsWanted ? html`<p class="hint">You want the replaced parts back.</p>` : undefined
}
