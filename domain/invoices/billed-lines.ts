import {
  type CountedLine,
  formatThousandths,
  jobTotals,
  taxableCents,
} from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { maximumCents } from '#domain/money/money.ts'

/** A job as it is billed: its frozen lines. */
export type BilledJob = {
  readonly title: string
  readonly lines: readonly (CountedLine & { readonly description: string })[]
}

/** A line of an invoice, in cents: what it costs before its tax, its tax, and on how much of it that is. */
export type BilledLine = {
  readonly description: string
  /** Below 0 for what is taken off. */
  readonly cents: number
  readonly taxCents: number
  readonly taxableCents: number
}

/** How many lines one invoice can have at the processor (docs.stripe.com/invoicing). */
const mostLines = 250

/**
 * The lines of an invoice over some jobs, `taxRate` in ten-thousandths of a percent. Each job's tax is spread over its
 * taxable lines so that the sum is exact; hours and pieces are words, because the processor multiplies otherwise
 * (docs/product.md 15.20). What has more lines than the processor takes is billed a line a job.
 */
export function billedLines(jobs: readonly BilledJob[], taxRate: number): BilledLine[] {
  const lines = jobs.flatMap((job) => linesOf(job, taxRate))
  const fits = lines.length <= mostLines && lines.every(({ cents }) => cents <= maximumCents)
  return fits ? lines : jobs.map((job) => wholeJob(job, taxRate))
}

function linesOf(job: BilledJob, taxRate: number): BilledLine[] {
  const totals = jobTotals(job.lines, taxRate)
  // Only what is sold is taxed; a discount has lowered the tax already.
  const weights = job.lines.map((line, index) =>
    line.isTaxable && line.kind !== 'discount' ? (totals.lines[index] ?? 0) : 0,
  )
  const taxes = spreadCents(totals.tax, weights)
  const taxables = spreadCents(totals.tax === 0 ? 0 : taxableCents(job.lines), weights)
  return job.lines.map((line, index) => ({
    description: `${job.title}: ${formatBilledLine(line)}`,
    cents: totals.lines[index] ?? 0,
    taxCents: taxes[index] ?? 0,
    taxableCents: taxables[index] ?? 0,
  }))
}

function wholeJob({ title, lines }: BilledJob, taxRate: number): BilledLine {
  const { total, tax } = jobTotals(lines, taxRate)
  return {
    description: title,
    cents: total - tax,
    taxCents: tax,
    taxableCents: tax === 0 ? 0 : taxableCents(lines),
  }
}

/** 'Front pads and discs, 1.2 h at $145.00'; 'Brake disc, 2 at $54.50'; 'Road test'; 'Returning customer, 10 % off'. */
export function formatBilledLine(line: CountedLine & { readonly description: string }): string {
  const count = formatThousandths(line.thousandths)
  const each = formatCents(line.unitCents)
  if (line.detail === 'percent') return `${line.description}, ${count} % off`
  if (line.kind === 'labor') return `${line.description}, ${count} h at ${each}`
  return line.thousandths === 1000 ? line.description : `${line.description}, ${count} at ${each}`
}

/**
 * Whole cents in proportion to weights, none of them below 0, by the largest remainder: the shares add up to `cents`
 * exactly, a share of a weight of 0 is 0. All 0 where no weight is above 0.
 */
export function spreadCents(cents: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n) return weights.map(() => 0)
  // Beyond what a double holds exactly: a line may be larger than an invoice, before its discount.
  const products = weights.map((weight) => BigInt(cents) * BigInt(weight))
  const shares = products.map((product) => Number(product / whole))
  const left = cents - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = [...products.keys()].toSorted((a, b) => {
    const [first, second] = [(products[a] ?? 0n) % whole, (products[b] ?? 0n) % whole]
    return first === second ? a - b : first > second ? -1 : 1
  })
  for (const index of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}
