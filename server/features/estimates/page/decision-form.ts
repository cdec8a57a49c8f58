import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { oneUntrustedLine as shortLine } from '#emails/layout/untrusted-text.ts'

export type SentJob = SentRevision['jobs'][number]

/** What a customer has chosen and typed on the page of an estimate. */
export type DecisionForm = {
  /** Keys of jobs. */
  readonly approved: ReadonlySet<string>
  readonly decidedByName: string
  readonly wantsPartsBack: boolean
}

/**
 * Whether nothing is left to ask: the same work was approved before for what it costs now, or somebody decided it in
 * this very revision (as `decide_estimate` has it).
 */
export function isDecided(sentRevision: SentRevision, { key, decision, ...job }: SentJob): boolean {
  const isSame = job.isSameWork && job.authorizedCents === job.totalCents
  if (decision === 'approved' && isSame) return true
  const latest = sentRevision.authorizations.findLast(({ jobKey }) => jobKey === key)
  return latest?.revision === sentRevision.revision
}

/** Whether a job is done, by what was approved before or is chosen now. */
export function isApproved(
  sentRevision: SentRevision,
  { approved }: Pick<DecisionForm, 'approved'>,
  job: SentJob,
) {
  return isDecided(sentRevision, job)
    ? job.authorizedCents > 0 || job.decision === 'approved'
    : approved.has(job.key)
}

/** The jobs that wait for a word. */
export function undecidedJobs(sentRevision: SentRevision): SentJob[] {
  return sentRevision.jobs.filter((job) => !isDecided(sentRevision, job))
}

/** Needed now starts on Approve, Can wait on Not now, and so does what was declined before. */
export function initialDecision(sentRevision: SentRevision): DecisionForm {
  const wanted = undecidedJobs(sentRevision).filter(
    (job) => job.isNeeded && job.decision !== 'declined',
  )
  return { approved: keysOf(wanted), decidedByName: '', wantsPartsBack: false }
}

/** Characters, as the ledger takes them. */
const longestName = 100

/** What was posted, as far as the estimate still holds it. */
export function readDecisionForm(sentRevision: SentRevision, form: URLSearchParams): DecisionForm {
  const wanted = undecidedJobs(sentRevision).filter(
    ({ key }) => form.get(nameOf(key)) === 'approve',
  )
  return {
    approved: keysOf(wanted),
    // A name that is copied from a letter brings characters along that nobody sees.
    decidedByName: shortLine(cleanLine(form.get('decidedBy') ?? ''), longestName),
    wantsPartsBack: form.get('parts-back') === 'yes',
  }
}

/** The same to look at once more: a job that the form did not know begins as it would have. */
export function restoreDecisionForm(
  sentRevision: SentRevision,
  form: URLSearchParams,
): DecisionForm {
  const choice = readDecisionForm(sentRevision, form)
  const unknown = [...initialDecision(sentRevision).approved].filter(
    (key) => !form.has(nameOf(key)),
  )
  return { ...choice, approved: new Set([...choice.approved, ...unknown]) }
}

/** What is approved in all with these jobs, in cents. */
export function decisionTotal(
  sentRevision: SentRevision,
  { approved }: Pick<DecisionForm, 'approved'>,
): number {
  return sentRevision.jobs
    .filter(({ key }) => approved.has(key))
    .reduce((total, job) => total + addedBy(job), sentRevision.authorizedCents)
}

/** What the approval of a job adds to what is approved already, in cents. */
export const addedBy = ({ totalCents, authorizedCents }: SentJob): number =>
  totalCents - authorizedCents

/** Of the field that decides a job. */
export const nameOf = (key: string): string => `job-${key}`

const keysOf = (jobs: readonly SentJob[]) => new Set(jobs.map(({ key }) => key))
