import {
  addJobs,
  type EstimateTotals,
  type JobTotals,
  jobTotals,
} from '#domain/estimates/estimate-totals.ts'
import { parseLine, type EstimateForm, type EstimateFormJob } from './estimate-form.ts'

const cache = new WeakMap<
  EstimateFormJob,
  { readonly taxRate: number; readonly totals: JobTotals }
>()

/** The totals of a job, cached by job object. */
export function totalsOfJob(job: EstimateFormJob, taxRate: number): JobTotals {
  const before = cache.get(job)
  if (before?.taxRate === taxRate) return before.totals
  const lines = job.lines.map((line) => parseLine(line).line)
  const totals = jobTotals(lines, taxRate)
  cache.set(job, { taxRate, totals })
  return totals
}

/** Returns the totals of all jobs, the totals of the required jobs, and the labor time in thousandths of an hour. */
export function totalsOfForm(
  { jobs }: EstimateForm,
  taxRate: number,
): { readonly all: EstimateTotals; readonly needed: number; readonly laborThousandths: number } {
  const needed = jobs.filter(({ isNeeded }) => isNeeded)
  const labor = jobs.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'labor'))
  return {
    all: addJobs(jobs.map((job) => totalsOfJob(job, taxRate))),
    needed: addJobs(needed.map((job) => totalsOfJob(job, taxRate))).total,
    laborThousandths: labor.reduce(
      (sum, line) => sum + parseLine(line).line.quantityThousandths,
      0,
    ),
  }
}
