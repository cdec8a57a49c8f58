import {
  type CountedLine,
  formatThousandths,
  jobTotals,
  taxableCents,
} from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { maximumCents } from '#domain/money/money.ts'

/** A job that the customer approved and the shop bills, with its lines in the frozen revision of the estimate. */
export type BilledJob = {
  readonly title: string
  readonly lines: readonly (CountedLine & { readonly description: string })[]
}

/** A line of an invoice: its price before tax, its tax, and its taxable amount, all in cents. */
export type BilledLine = {
  readonly description: string
  /** The price before tax in cents; negative for a discount. */
  readonly cents: number
  readonly taxCents: number
  readonly taxableCents: number
}

/** The maximum number of lines on a Stripe invoice (docs.stripe.com/invoicing). */
const mostLines = 250

/**
 * The invoice lines of some jobs; `taxRate` is in ten-thousandths of a percent. The tax of each job is divided among
 * its taxable lines so that the taxes of the lines add up to the tax of the job exactly. The number of hours or pieces
 * is only in the description, because Stripe would multiply that number by the price and round differently
 * (docs/product.md 15.20). When the jobs have more lines than an invoice may have, each job is billed as one line.
 */
export function billedLines(jobs: readonly BilledJob[], taxRate: number): BilledLine[] {
  const lines = jobs.flatMap((job) => linesOf(job, taxRate))
  const fits = lines.length <= mostLines && lines.every(({ cents }) => cents <= maximumCents)
  return fits ? lines : jobs.map((job) => wholeJob(job, taxRate))
}

function linesOf(job: BilledJob, taxRate: number): BilledLine[] {
  const totals = jobTotals(job.lines, taxRate)
  // Only lines with a positive price get a share of the tax. A discount line gets none, because the discount has
  // already lowered the tax of the job.
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

/**
 * The description of an invoice line: 'Front pads and discs, 1.2 h at $145.00'; 'Brake disc, 2 at $54.50'; 'Road
 * test'; 'Returning customer, 10 % off'.
 */
export function formatBilledLine(line: CountedLine & { readonly description: string }): string {
  const count = formatThousandths(line.quantityThousandths)
  const each = formatCents(line.unitPriceCents)
  if (line.subtype === 'percent') return `${line.description}, ${count} % off`
  if (line.kind === 'labor') return `${line.description}, ${count} h at ${each}`
  return line.quantityThousandths === 1000
    ? line.description
    : `${line.description}, ${count} at ${each}`
}

/**
 * Divides whole cents in proportion to weights of 0 or above, with the largest remainder method: the shares add up to
 * `cents` exactly, and a weight of 0 gets 0. All shares are 0 when no weight is above 0.
 */
export function spreadCents(cents: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n) return weights.map(() => 0)
  // The function multiplies as BigInt, because `cents` times a weight can exceed 2^53: before its discount, a line may
  // cost more than the maximum of an invoice.
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
