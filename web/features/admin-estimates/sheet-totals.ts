import { addJobs, type EstimateTotals, type JobTotals, jobTotals } from '#domain/estimate-totals.ts'
import { readLine, type Sheet, type SheetJob } from './sheet.ts'

const known = new WeakMap<SheetJob, { readonly taxRate: number; readonly totals: JobTotals }>()

/** What a job comes to as it is typed; computed once for each state of it. */
export function totalsOfJob(job: SheetJob, taxRate: number): JobTotals {
  const before = known.get(job)
  if (before?.taxRate === taxRate) return before.totals
  const lines = job.lines.map((line) => readLine(line).line)
  const totals = jobTotals(lines, taxRate)
  known.set(job, { taxRate, totals })
  return totals
}

/** What the whole sheet comes to, and what of it is needed now. */
export function totalsOfSheet(
  { jobs }: Sheet,
  taxRate: number,
): { readonly all: EstimateTotals; readonly needed: number; readonly laborThousandths: number } {
  const needed = jobs.filter(({ isNeeded }) => isNeeded)
  const labor = jobs.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'labor'))
  return {
    all: addJobs(jobs.map((job) => totalsOfJob(job, taxRate))),
    needed: addJobs(needed.map((job) => totalsOfJob(job, taxRate))).total,
    laborThousandths: labor.reduce((sum, line) => sum + readLine(line).line.thousandths, 0),
  }
}
