import { type SentJob, undecidedJobs } from '#contracts/estimates/decision-form.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { estimateName } from '#domain/estimates/estimate-title.ts'
import { formatCents } from '#domain/money/format-cents.ts'

/** Returns the heading of the estimate page: 'Your estimate is ready', 'This estimate has expired'. */
export function estimateHeading(sentRevision: SentRevision): string {
  switch (sentRevision.state) {
    case 'open':
      return 'Your estimate is ready'
    case 'expired':
      return 'This estimate has expired'
    case 'decided':
      return decisionHeading(sentRevision)
    case 'closed':
      return 'This estimate has been invoiced'
  }
}

/**
 * Returns the introduction of an open estimate: what the shop found, and that the customer approves each job
 * separately.
 */
export function leadOfOpen(sentRevision: SentRevision): string {
  const open = undecidedJobs(sentRevision)
  const found = sentRevision.authorizedCents > 0 ? foundMore(sentRevision, open) : foundFirst(open)
  return `${found} You approve each job separately. Nothing starts before you approve.`
}

function foundFirst(jobs: readonly SentJob[]): string {
  const needed = jobs.filter(({ isNeeded }) => isNeeded).length
  const later = jobs.length - needed
  const now = `${things(needed)} your car needs now`
  if (later === 0) return `We found ${now}.`
  return needed === 0
    ? `We found ${things(later)} that can wait.`
    : `We found ${now} and ${formatSmallNumber(later)} that can wait.`
}

function foundMore({ authorizedCents }: SentRevision, jobs: readonly SentJob[]): string {
  const subject =
    jobs.length === 1
      ? 'One more job is waiting for your decision.'
      : `${upper(formatSmallNumber(jobs.length))} jobs are waiting for your decision.`
  return `You approved ${formatCents(authorizedCents)} so far. ${subject}`
}

const things = (count: number) => (count === 1 ? 'one thing' : `${formatSmallNumber(count)} things`)

const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const formatSmallNumber = (count: number) => small[count] ?? String(count)
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns a text such as 'You approved 2 of 3 jobs'. */
function decisionHeading({ jobs, authorizedCents, deposit }: SentRevision): string {
  if (deposit?.state === 'paid') return 'Approved. Your deposit is here.'
  const approved = jobs.filter(({ decision }) => decision === 'approved').length
  if (approved === 0) {
    return authorizedCents > 0 ? 'You approved no additional jobs' : 'You declined this estimate'
  }
  if (approved < jobs.length) return `You approved ${approved} of ${jobs.length} jobs`
  return jobs.length === 1 ? 'You approved the job' : `You approved all ${jobs.length} jobs`
}

/** Returns a text such as '2 of 3 jobs'. */
export const formatJobCount = (approved: number, all: number): string =>
  `${approved} of ${all} ${all === 1 ? 'job' : 'jobs'}`

/** Returns a text such as 'Estimate E-0093, revision 2, November 24, 2026, 3:18 PM. Good until December 8, 2026.' */
export function estimateCaption({
  kind,
  number,
  revision,
  sentAt,
  goodUntil,
}: SentRevision): string {
  const what = [`${estimateName(kind)} ${number}`, revision > 1 && `revision ${revision}`]
  const when = sentAt !== null && formatStamp(sentAt)
  return `${[...what, when].filter(Boolean).join(', ')}. Good until ${formatDate(goodUntil)}.`
}
