import type { Estimate, EstimateJob } from '#contracts/estimates/estimates.ts'
import { type JobTotals, jobTotals } from '#domain/estimates/estimate-totals.ts'

export type BilledJob = { readonly job: EstimateJob; readonly totals: JobTotals }

/**
 * The approved jobs that an invoice bills. Empty if the invoice does not bill this estimate. Also empty if the sum of
 * the jobs differs from the invoice's total, as after a later change of the estimate.
 */
export function billedJobs(
  estimate: Estimate,
  invoice: { readonly id: string; readonly totalCents: number },
): readonly BilledJob[] {
  if (estimate.invoice?.invoiceId !== invoice.id) return []
  const approved = new Set(
    estimate.jobs.filter(({ authorizedCents }) => authorizedCents > 0).map(({ key }) => key),
  )
  const jobs = estimate.document.jobs
    .filter(({ key }) => approved.has(key))
    .map((job) => ({ job, totals: jobTotals(job.lines, estimate.taxRate) }))
  const sum = jobs.reduce((total, { totals }) => total + totals.total, 0)
  return sum === invoice.totalCents ? jobs : []
}
