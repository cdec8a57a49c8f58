import type { Estimate } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { type OfflineDecisionForm, isFullyApproved } from './offline-decision.ts'

type Props = {
  estimate: Estimate
  decisions: OfflineDecisionForm['decisions']
  onChange: (change: Pick<OfflineDecisionForm, 'decisions'>) => void
}

/** A select for the customer's decision about each job. Its initial value is 'Not asked' or 'Already approved'. */
export function DecisionFields({ estimate, decisions, onChange }: Props) {
  return (
    <fieldset className="record-jobs">
      <legend className="field-label">Decision about each job</legend>
      {estimate.document.jobs.map(({ key, title }) => {
        const job = estimate.jobs.find((counted) => counted.key === key)
        return (
          <label key={key}>
            <span>
              {title} <b>{formatCents(job?.totalCents ?? 0)}</b>
            </span>
            <select
              className="input"
              name="decisions"
              aria-label={title}
              value={decisions[key] ?? ''}
              onChange={({ target }) =>
                onChange({
                  decisions: {
                    ...decisions,
                    [key]: target.value as OfflineDecisionForm['decisions'][string],
                  },
                })
              }
            >
              <DecisionOptions job={job} />
            </select>
          </label>
        )
      })}
    </fieldset>
  )
}

/**
 * The options for the decision about a job. If the job is already approved at its current price, staff can only record
 * that the customer withdrew the approval.
 */
function DecisionOptions({ job }: { job: Estimate['jobs'][number] | undefined }) {
  const isApproved = isFullyApproved(job)
  return (
    <>
      <option value="">{isApproved ? 'Already approved' : 'Not asked'}</option>
      {!isApproved && <option value="approved">Approved</option>}
      {!isApproved && <option value="declined">Declined</option>}
      {(job?.authorizedCents ?? 0) > 0 && <option value="withdrawn">Withdrawn</option>}
    </>
  )
}
