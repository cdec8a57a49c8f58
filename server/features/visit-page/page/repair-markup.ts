import { formatCents } from '#domain/money/format-cents.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import type { RepairStatus } from '../read-repair-status.ts'

/** Renders a link to an estimate that waits for a decision, on a page about something else. */
export function renderEstimateLink({
  sentRevision,
  estimatePath,
}: RepairStatus): Markup | undefined {
  if (sentRevision?.state !== 'open') return undefined
  return html`<p class="visit-message">
    Your estimate is ready. <a href="${estimatePath}">View it and decide</a>
  </p>`
}

/** Renders the amount to pay or the paid one. */
export function renderPayment({ invoice }: RepairStatus): Markup | undefined {
  if (!invoice) return undefined
  const { number, totalCents, isPaid } = invoice
  const label = isPaid ? 'Invoice and receipt' : `Pay ${formatCents(totalCents)} now`
  return html`<div class="visit-actions">
    <div class="visit-buttons">
      <a
        class="button button-${isPaid ? 'secondary' : 'primary'}"
        href="/pay-invoice?${new URLSearchParams({ invoice: number }).toString()}"
        >${label}</a
      >
    </div>
  </div>`
}

/** Renders the jobs that were recommended and not approved. */
export function renderDeferredJobs({ sentRevision }: RepairStatus): Markup | undefined {
  const left = sentRevision && sentRevision.state !== 'open' ? sentRevision.jobs : []
  const waiting = left.filter((job) => job.decision === 'declined' && job.authorizedCents === 0)
  if (waiting.length === 0) return undefined
  const jobs = waiting.map(({ title, totalCents }) => `${title}, ${formatCents(totalCents)}`)
  return html`<p><b>Can wait:</b> ${jobs.join('; ')}. <a href="/book-appointment">Book it</a></p>`
}
