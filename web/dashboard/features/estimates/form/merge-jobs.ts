import type { EstimateDocument } from '#contracts/estimates/estimates.ts'
import { addJobs, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { isSame } from '#web/dashboard/kit/forms/merge-fields.ts'
import { documentJob, type EstimateFormJob, jobProblems } from './estimate-form.ts'

type Jobs = readonly EstimateFormJob[]

/**
 * Merges the jobs that the user typed with the jobs that someone else saved. If only one version changed a job, the
 * change is kept. If both versions changed the job, the user's version is used. A job that one version removed and the
 * other version changed is preserved.
 */
export function mergeJobs(base: Jobs, mine: Jobs, theirs: Jobs) {
  const keys = (jobs: Jobs) => jobs.map(({ key }) => key)
  const isMovedByMe = !isSame(
    keys(mine),
    keys(base).filter((key) => keys(mine).includes(key)),
  )
  const [first, second] = isMovedByMe ? [mine, theirs] : [theirs, mine]
  const merged = [...new Set([...keys(first), ...keys(second)])].map((key) =>
    mergeJob(find(base, key), find(mine, key), find(theirs, key)),
  )
  return {
    value: merged.flatMap(({ job }) => job ?? []),
    isOverlap: merged.some(({ isOverlap }) => isOverlap),
  }
}

const find = (jobs: Jobs, key: string) => jobs.find((job) => job.key === key)

type Job = EstimateFormJob | undefined

function mergeJob(base: Job, mine: Job, theirs: Job): { job: Job; isOverlap: boolean } {
  const isAlike = (one: Job, other: Job) =>
    isSame(one && documentJob(one), other && documentJob(other))
  const isTyped = mine !== undefined && jobProblems(mine).length > 0
  if (isAlike(mine, base) && !isTyped) return { job: theirs, isOverlap: false }
  const isOverlap = !isAlike(theirs, base) && !isAlike(theirs, mine)
  return { job: mine ?? (isOverlap ? theirs : undefined), isOverlap }
}

/** The differences between two versions of an estimate, one sentence for each difference. */
export function changesBetween(
  before: EstimateDocument,
  after: EstimateDocument,
  taxRate: number,
): string[] {
  const total = (job: EstimateDocument['jobs'][number] | undefined) =>
    formatCents(addJobs(job ? [jobTotals(job.lines, taxRate)] : []).total)
  const find = (jobs: EstimateDocument['jobs'], key: string) => jobs.find((job) => job.key === key)
  const jobs = [
    ...after.jobs.flatMap((job) => {
      const was = find(before.jobs, job.key)
      if (!was) return [`${job.title} added, ${total(job)}.`]
      if (isSame(was, job)) return []
      return [
        `${job.title} changed${total(was) === total(job) ? '' : `, ${total(was)} before`}, ${total(job)}.`,
      ]
    }),
    ...before.jobs
      .filter(({ key }) => !find(after.jobs, key))
      .map(({ title }) => `${title} removed.`),
  ]
  const fields = [
    ['customer', 'The customer changed.'],
    ['vehicle', 'The vehicle changed.'],
    ['payer', 'The third-party payer changed.'],
    ['customerNote', 'The note to the customer changed.'],
    ['internalNote', 'The internal note changed.'],
    ['goodUntil', 'The day in “Good until” changed.'],
  ] as const
  return [
    ...jobs,
    ...fields.filter(([name]) => !isSame(before[name], after[name])).map(([, text]) => text),
  ]
}
