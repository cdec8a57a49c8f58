import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { oneUntrustedLine as shortLine } from '#domain/text/untrusted-text.ts'

/** The text above the approve button; the database stores the text with the customer's decision. */
export const approvalLimitText = 'You approve up to this amount. We ask again before we go over it.'

/**
 * The reasons why the server does not record the customer's decision on an estimate. The database function
 * `internal.decide_estimate` returns version_conflict, expired or closed; the server adds the other reasons.
 */
export type DecisionRefusal =
  | 'version_conflict'
  | 'expired'
  | 'closed'
  /** The total of the jobs that the customer chose differs from the amount on the approve button. */
  | 'other_amount'
  | 'name_missing'
  | 'nothing_chosen'

export type SentJob = SentRevision['jobs'][number]

/** The customer's choices and name in the form of the estimate page. */
export type DecisionForm = {
  /** The keys of the approved jobs. */
  readonly approved: ReadonlySet<string>
  readonly decidedByName: string
  readonly wantsPartsBack: boolean
}

/**
 * Returns whether a job needs no decision: the customer approved the same work at the current price before, or has
 * already decided about the job in this revision. `decide_estimate` applies the same rule.
 */
export function isDecided(sentRevision: SentRevision, { key, decision, ...job }: SentJob): boolean {
  const isSame = job.isSameWork && job.authorizedCents === job.totalCents
  if (decision === 'approved' && isSame) return true
  const latest = sentRevision.authorizations.findLast(({ jobKey }) => jobKey === key)
  return latest?.revision === sentRevision.revision
}

/** Returns whether a job is approved, by an earlier decision or by the current choice. */
export function isApproved(
  sentRevision: SentRevision,
  { approved }: Pick<DecisionForm, 'approved'>,
  job: SentJob,
) {
  return isDecided(sentRevision, job)
    ? job.authorizedCents > 0 || job.decision === 'approved'
    : approved.has(job.key)
}

/** The jobs that need a decision. */
export function undecidedJobs(sentRevision: SentRevision): SentJob[] {
  return sentRevision.jobs.filter((job) => !isDecided(sentRevision, job))
}

/**
 * The initial choices on the estimate page. The jobs that are needed now start as approved, except jobs that the
 * customer declined before; all other jobs start as 'Not now'.
 */
export function initialDecision(sentRevision: SentRevision): DecisionForm {
  const wanted = undecidedJobs(sentRevision).filter(
    (job) => job.isNeeded && job.decision !== 'declined',
  )
  return { approved: keysOf(wanted), decidedByName: '', wantsPartsBack: false }
}

/** An object with the fields of a submitted form, for example URLSearchParams. */
type SubmittedForm = {
  get(name: string): string | null
  has(name: string): boolean
}

/** The maximum length, in characters, of the decider's name; the database column has the same maximum. */
const longestName = 100

/** Reads a submitted form. Ignores jobs that need no decision or that the estimate no longer contains. */
export function readDecisionForm(sentRevision: SentRevision, form: SubmittedForm): DecisionForm {
  const wanted = undecidedJobs(sentRevision).filter(
    ({ key }) => form.get(nameOf(key)) === 'approve',
  )
  return {
    approved: keysOf(wanted),
    // The function cleans the name, because a name that the customer pasted from an email can contain invisible
    // characters.
    decidedByName: shortLine(cleanLine(form.get('decidedBy') ?? ''), longestName),
    wantsPartsBack: form.get('parts-back') === 'yes',
  }
}

/** Reads a submitted form in order to show it again. A job that is missing in the form gets its initial choice. */
export function restoreDecisionForm(sentRevision: SentRevision, form: SubmittedForm): DecisionForm {
  const choice = readDecisionForm(sentRevision, form)
  const unknown = [...initialDecision(sentRevision).approved].filter(
    (key) => !form.has(nameOf(key)),
  )
  return { ...choice, approved: new Set([...choice.approved, ...unknown]) }
}

/** The total in cents of all approvals, once the customer has also approved the given jobs. */
export function decisionTotal(
  sentRevision: SentRevision,
  { approved }: Pick<DecisionForm, 'approved'>,
): number {
  return sentRevision.jobs
    .filter(({ key }) => approved.has(key))
    .reduce((total, job) => total + addedBy(job), sentRevision.authorizedCents)
}

/** The amount in cents that the approval of a job adds to the approved total. */
export const addedBy = ({ totalCents, authorizedCents }: SentJob): number =>
  totalCents - authorizedCents

/** The name of the form field with the customer's choice for a job. */
export const nameOf = (key: string): string => `job-${key}`

const keysOf = (jobs: readonly SentJob[]) => new Set(jobs.map(({ key }) => key))
