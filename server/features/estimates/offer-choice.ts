import type { SentRevision } from '#contracts/estimates.ts'
import { cleanLine } from '#domain/typed-text.ts'
import { oneUntrustedLine as shortLine } from '#letters/foreign-text.ts'

export type SentJob = SentRevision['jobs'][number]

/** What a customer has chosen and typed on the page of an estimate. */
export type DecisionForm = {
  /** Keys of jobs. */
  readonly approved: ReadonlySet<string>
  readonly person: string
  readonly wantsPartsBack: boolean
}

/**
 * Whether nothing is left to ask: the same work was approved before for what it costs now, or somebody decided it in
 * this very revision (as `decide_estimate` has it).
 */
export function isDecided(offer: SentRevision, { key, decision, ...job }: SentJob): boolean {
  const isSame = job.isSameWork && job.authorizedCents === job.totalCents
  if (decision === 'approved' && isSame) return true
  const latest = offer.authorizations.findLast(({ jobKey }) => jobKey === key)
  return latest?.revision === offer.revision
}

/** Whether a job is done, by what was approved before or is chosen now. */
export function isApproved(
  offer: SentRevision,
  { approved }: Pick<DecisionForm, 'approved'>,
  job: SentJob,
) {
  return isDecided(offer, job)
    ? job.authorizedCents > 0 || job.decision === 'approved'
    : approved.has(job.key)
}

/** The jobs that wait for a word. */
export function undecidedJobs(offer: SentRevision): SentJob[] {
  return offer.jobs.filter((job) => !isDecided(offer, job))
}

/** Needed now starts on Approve, Can wait on Not now, and so does what was declined before. */
export function initialDecision(offer: SentRevision): DecisionForm {
  const wanted = undecidedJobs(offer).filter((job) => job.isNeeded && job.decision !== 'declined')
  return { approved: keysOf(wanted), person: '', wantsPartsBack: false }
}

/** Characters, as the ledger takes them. */
const longestName = 100

/** What was posted, as far as the estimate still holds it. */
export function readDecisionForm(offer: SentRevision, form: URLSearchParams): DecisionForm {
  const wanted = undecidedJobs(offer).filter(({ key }) => form.get(nameOf(key)) === 'approve')
  return {
    approved: keysOf(wanted),
    // A name that is copied from a letter brings characters along that nobody sees.
    person: shortLine(cleanLine(form.get('person') ?? ''), longestName),
    wantsPartsBack: form.get('parts-back') === 'yes',
  }
}

/** The same to look at once more: a job that the form did not know begins as it would have. */
export function restoreDecisionForm(offer: SentRevision, form: URLSearchParams): DecisionForm {
  const choice = readDecisionForm(offer, form)
  const unknown = [...initialDecision(offer).approved].filter((key) => !form.has(nameOf(key)))
  return { ...choice, approved: new Set([...choice.approved, ...unknown]) }
}

/** What is approved in all with these jobs, in cents. */
export function decisionTotal(
  offer: SentRevision,
  { approved }: Pick<DecisionForm, 'approved'>,
): number {
  return offer.jobs
    .filter(({ key }) => approved.has(key))
    .reduce((total, job) => total + addedBy(job), offer.authorizedCents)
}

/** What the approval of a job adds to what is approved already, in cents. */
export const addedBy = ({ totalCents, authorizedCents }: SentJob): number =>
  totalCents - authorizedCents

/** Of the field that decides a job. */
export const nameOf = (key: string): string => `job-${key}`

const keysOf = (jobs: readonly SentJob[]) => new Set(jobs.map(({ key }) => key))
