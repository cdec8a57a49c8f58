import type { EstimateDocument } from '#contracts/estimates/estimates.ts'
import { addJobs, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import {
  documentJob,
  inOrder,
  type EstimateForm,
  type EstimateFormJob,
  formOfDocument,
} from './estimate-form.ts'

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))

/**
 * Merges the typed form with a version that someone else saved. A job or field that only one version changed is taken
 * from that version; if both changed it, the typed one wins. A job that one version removed stays if the other changed
 * it.
 */
export function mergeForms(
  base: EstimateDocument,
  mine: EstimateForm,
  theirs: EstimateDocument,
): EstimateForm {
  const begun = formOfDocument(base)
  const other = formOfDocument(theirs, mine)
  const mergeField = <Name extends keyof EstimateForm>(name: Name): EstimateForm[Name] =>
    isSame(mine[name], begun[name]) ? other[name] : mine[name]
  return {
    customer: mergeField('customer'),
    vehicle: mergeField('vehicle'),
    customerNote: mergeField('customerNote'),
    internalNote: mergeField('internalNote'),
    goodUntil: mergeField('goodUntil'),
    jobs: mergeJobs(begun, mine, other),
  }
}

function mergeJobs(
  begun: EstimateForm,
  mine: EstimateForm,
  other: EstimateForm,
): EstimateFormJob[] {
  const keys = ({ jobs }: EstimateForm) => jobs.map(({ key }) => key)
  const isMovedByMe = !isSame(
    keys(mine),
    keys(begun).filter((key) => keys(mine).includes(key)),
  )
  const [first, second] = isMovedByMe ? [mine, other] : [other, mine]
  const order = [...new Set([...keys(first), ...keys(second)])]
  return order.flatMap((key) => mergeJob(...([begun, mine, other].map(jobOf(key)) as Three)) ?? [])
}

type Three = [EstimateFormJob | undefined, EstimateFormJob | undefined, EstimateFormJob | undefined]

const jobOf = (key: string) => (form: EstimateForm) => form.jobs.find((job) => job.key === key)

function mergeJob(...[begun, mine, other]: Three): EstimateFormJob | undefined {
  const isChanged = (job: EstimateFormJob | undefined) =>
    !isSame(job && documentJob(job), begun && documentJob(begun))
  if (!isChanged(mine)) return other
  return mine ?? (isChanged(other) ? other : undefined)
}

/** The differences between two documents, one sentence for each. */
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
    ['customerNote', 'The note to the customer changed.'],
    ['internalNote', 'The internal note changed.'],
    ['goodUntil', 'Good until changed.'],
  ] as const
  return [
    ...jobs,
    ...fields.filter(([name]) => !isSame(before[name], after[name])).map(([, text]) => text),
  ]
}
