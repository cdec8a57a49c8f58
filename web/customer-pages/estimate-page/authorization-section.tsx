import type { Authorization, SentRevision } from '#contracts/estimates/estimates.ts'
import { approvalLimitText } from '#contracts/estimates/decision-form.ts'
import { formatAuthorization } from '#domain/estimates/authorization-text.ts'
import { formatCents } from '#domain/money/format-cents.ts'

/**
 * Lists the customer's decision on each job: the amount, the name of the person who decided, the method and the time.
 * If at least one job is approved, also shows the approved total.
 */
export function Authorizations({ sentRevision }: { sentRevision: SentRevision }) {
  const { authorizations, authorizedCents } = sentRevision
  if (authorizations.length === 0) return null
  const decided = latestOfJobs(authorizations)
  const isApproved = decided.some(({ line }) => line.decision === 'approved')
  const arePartsWanted = authorizations.some(({ wantsPartsBack }) => wantsPartsBack)
  return (
    <section className="card estimate-sum" aria-labelledby="record-title">
      <h2 id="record-title" className="card-heading">
        {isApproved ? 'What you approved' : 'Your answer'}
      </h2>
      <dl className="estimate-totals">
        {decided.map(({ line, cents }) => (
          <div key={line.jobKey} className={cents === 0 ? 'estimate-off' : undefined}>
            <dt>
              {line.jobTitle}
              <small>{formatAuthorization(line)}</small>
            </dt>
            <dd>{cents > 0 || line.decision === 'approved' ? formatCents(cents) : 'not now'}</dd>
          </div>
        ))}
        {isApproved && (
          <div className="estimate-all">
            <dt>Approved so far</dt>
            <dd>{formatCents(authorizedCents)}</dd>
          </div>
        )}
      </dl>
      {arePartsWanted && <p className="hint">You want the replaced parts back.</p>}
      {isApproved && <p className="estimate-limit">{approvalLimitText}</p>}
    </section>
  )
}

type Decided = { readonly line: Authorization; readonly cents: number }

/**
 * Returns for each job the authorization that applies now. After an approval, a later 'declined' changes nothing: only
 * 'withdrawn' revokes the approval.
 */
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
