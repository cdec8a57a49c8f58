import type { RepairStatus } from '#contracts/bookings/visit-page.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { buttonClass } from '#web/ui/button/button.tsx'

/** A link to an estimate that the customer has not decided on yet. */
export function EstimateLink({ work: { sentRevision, estimatePath } }: { work: RepairStatus }) {
  if (sentRevision?.state !== 'open') return null
  return (
    <p className="visit-message">
      Your estimate is ready. <a href={estimatePath}>View the estimate and decide</a>
    </p>
  )
}

/** Shows the balance of the invoice, or the paid amount of a paid invoice. */
export function Payment({ work: { invoice } }: { work: RepairStatus }) {
  if (!invoice) return null
  const { number, balanceCents, isPaid } = invoice
  return (
    <div className="visit-actions">
      <div className="visit-buttons">
        <a
          className={buttonClass(isPaid ? 'secondary' : 'primary')}
          href={`/pay-invoice?${new URLSearchParams({ invoice: number }).toString()}`}
        >
          {isPaid ? 'Invoice and receipt' : `Pay ${formatCents(balanceCents)} now`}
        </a>
      </div>
    </div>
  )
}

/** Lists the jobs that the shop recommended and the customer did not approve. */
export function DeferredJobs({ work: { sentRevision } }: { work: RepairStatus }) {
  const left = sentRevision && sentRevision.state !== 'open' ? sentRevision.jobs : []
  const waiting = left.filter((job) => job.decision === 'declined' && job.authorizedCents === 0)
  if (waiting.length === 0) return null
  const jobs = waiting.map(({ title, totalCents }) => `${title}, ${formatCents(totalCents)}`)
  return (
    <p>
      <b>Can wait:</b> {jobs.join('; ')}. <a href="/book-appointment">Book it</a>
    </p>
  )
}
