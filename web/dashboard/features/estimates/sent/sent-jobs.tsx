import type { Authorization, Estimate, EstimateJob } from '#contracts/estimates/estimates.ts'
import { formatThousandths, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import {
  subtypeNames,
  formatLaborHours,
  kindLabels,
  formatTaxRate,
  formatSignedCents,
} from '../estimate-text.ts'
import { AfterTearDown, TearDownTerms } from './tear-down-section.tsx'
import { latestAuthorizationOf, batchTitle } from './authorization-text.ts'

/** The jobs of a sent revision, each with the customer's decision. */
export function SentJobs(props: { estimate: Estimate; onAddWork: () => void }) {
  const { estimate, onAddWork } = props
  return estimate.document.jobs.map((job) => (
    <SentJobItem key={job.key} job={job} estimate={estimate} onAddWork={onAddWork} />
  ))
}

function SentJobItem(props: { job: EstimateJob; estimate: Estimate; onAddWork: () => void }) {
  const { job, estimate, onAddWork } = props
  const { taxRate, authorizations } = estimate
  const totals = jobTotals(job.lines, taxRate)
  const counted = estimate.jobs.find(({ key }) => key === job.key)
  const authorized = counted?.authorizedCents ?? 0
  const isApproved = authorized > 0
  const isRefused = !isApproved && counted?.decision != null
  const className = isApproved ? 'job-approved' : isRefused ? 'job-refused' : ''
  return (
    <section className={`card job job-shown ${className}`} aria-label={job.title}>
      <header>
        <h3>{job.title}</h3>
        <Badge>{job.isNeeded ? 'Required' : 'Recommended'}</Badge>
        <Decision isApproved={isApproved} decision={counted?.decision ?? null} />
        <b className="job-total">
          {isRefused ? <s>{formatCents(totals.total)}</s> : formatCents(totals.total)}
        </b>
      </header>
      <table className="job-lines">
        <tbody>
          {job.lines.map((line, index) => (
            // The lines of a sent revision never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <td className="line-kind">{kindLabels[line.kind]}</td>
              <td className="line-what">
                {line.description}
                {line.kind === 'part' && `, ${subtypeNames[line.subtype]?.toLowerCase()}`}
                <small> {countText(line)}</small>
              </td>
              <td className="line-quantity">{quantityText(line)}</td>
              <td className="line-each">
                {line.subtype !== 'percent' &&
                  formatSignedCents(
                    line.kind === 'discount' ? -line.unitPriceCents : line.unitPriceCents,
                  )}
              </td>
              <td className="line-amount">{formatSignedCents(totals.lines[index] ?? 0)}</td>
            </tr>
          ))}
          {totals.tax > 0 && (
            <tr>
              <td className="line-kind">Tax</td>
              <td className="line-what" colSpan={3}>
                Sales tax, {formatTaxRate(taxRate)}
              </td>
              <td className="line-amount">{formatCents(totals.tax)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {job.tearDown && <TearDownTerms tearDown={job.tearDown} />}
      {job.tearDown && isApproved && !estimate.invoice && (
        <AfterTearDown estimate={estimate} jobKey={job.key} onItemize={onAddWork} />
      )}
      <JobNote
        line={latestAuthorizationOf(authorizations, job.key)}
        isFirstBatch={isInFirstBatch(authorizations, job.key)}
      />
      {isApproved && authorized < totals.total && (
        <p className="job-note">
          Approved up to {formatCents(authorized)}. This is {formatCents(totals.total - authorized)}{' '}
          more. Get a new approval first.
        </p>
      )}
    </section>
  )
}

function Decision(props: { isApproved: boolean; decision: Authorization['decision'] | null }) {
  const { isApproved, decision } = props
  if (isApproved) return <Badge tone="ok">Approved</Badge>
  if (decision === 'declined') return <Badge tone="ring">Declined</Badge>
  if (decision === 'withdrawn') return <Badge tone="ring">Withdrawn</Badge>
  return <Badge tone="info">No answer yet</Badge>
}

/**
 * Shows the customer's decision about a job. Shows nothing for a job that the customer approved in the first decision,
 * because the list of authorizations already shows this approval.
 */
function JobNote(props: { line: Authorization | undefined; isFirstBatch: boolean }) {
  const { line, isFirstBatch } = props
  if (!line || (isFirstBatch && line.decision === 'approved')) return null
  const how = line.decision === 'approved' ? 'Added after approval. ' : ''
  return (
    <p className="job-note">
      {how}
      {batchTitle(line, false)}, {formatShortStamp(line.decidedAt)}
      {line.method !== 'web' && (
        <>
          , recorded by <StaffName username={line.recordedBy} at={line.decidedAt} />
        </>
      )}
      .
    </p>
  )
}

function isInFirstBatch(lines: readonly Authorization[], key: string): boolean {
  const first = lines.find(({ decision }) => decision === 'approved')
  return latestAuthorizationOf(lines, key)?.batchId === first?.batchId
}

/** The quantity of a line with its unit: '1.2 h', '2', '10%'. */
function quantityText({
  kind,
  subtype,
  quantityThousandths,
}: EstimateJob['lines'][number]): string {
  if (kind === 'labor') return formatLaborHours(quantityThousandths)
  return formatThousandths(quantityThousandths) + (subtype === 'percent' ? '%' : '')
}

/** Quantity and price on one line, for phones: '1.2 h × $145.00' */
function countText(line: EstimateJob['lines'][number]): string {
  if (line.subtype === 'percent') return quantityText(line)
  const each = formatSignedCents(
    line.kind === 'discount' ? -line.unitPriceCents : line.unitPriceCents,
  )
  return `${quantityText(line)} × ${each}`
}
