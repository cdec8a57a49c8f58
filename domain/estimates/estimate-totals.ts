/*
 * The totals of an estimate. All multiplication, rounding and tax calculation is in this file. All numbers are whole
 * and below 2^53; half a cent is rounded away from zero. A discount is subtracted before the tax, and the tax is
 * rounded once for each job, so that the totals of any selection of jobs add up (docs/product.md 15.2).
 * `internal.job_totals` in the database computes the same totals.
 */

export const lineKinds = ['labor', 'part', 'fee', 'sublet', 'discount'] as const
export type LineKind = (typeof lineKinds)[number]

/** The values of an estimate's line from which the totals are computed. */
export type CountedLine = {
  readonly kind: LineKind
  /** The subtype of a discount: 'percent' or 'amount'. */
  readonly subtype: string
  /**
   * The number of hours or pieces, or the percentage, with up to three decimals, in thousandths (1.2 hours: 1200).
   */
  readonly quantityThousandths: number
  /** The price of one hour or piece in cents; 0 for a line whose amount is a percentage, such as a discount. */
  readonly unitPriceCents: number
  readonly isTaxable: boolean
}

/** The totals of a job in cents. `discount` is the amount subtracted, 0 or above. */
export type JobTotals = {
  /** The amount of each line in cents; negative for a discount. */
  readonly lines: readonly number[]
  readonly labor: number
  readonly parts: number
  readonly fees: number
  readonly sublet: number
  readonly discount: number
  readonly tax: number
  readonly total: number
}

/** Divides whole numbers and rounds half away from zero: 1.5 → 2, -1.5 → -2. */
function divideHalfUp(dividend: number, divisor: number): number {
  const size = Math.floor((2 * Math.abs(dividend) + divisor) / (2 * divisor))
  return dividend < 0 ? -size : size
}

/** The totals of a job. `taxRate` is in ten-thousandths of a percent: 9.125 % is 91250. */
export function jobTotals(lines: readonly CountedLine[], taxRate: number): JobTotals {
  const priced = lines.filter((line) => line.kind !== 'discount')
  const sum = (counted: readonly CountedLine[]) =>
    counted.reduce((total, line) => total + priceCents(line), 0)
  const whole = sum(priced)
  const cents = lines.map((line) =>
    line.kind === 'discount' ? 0 - discountOf(line, whole) : priceCents(line),
  )
  const discount = lines.reduce((total, line) => total + discountOf(line, whole), 0)
  const tax = divideHalfUp(taxableCents(lines) * taxRate, 1_000_000)
  return {
    lines: cents,
    labor: sum(priced.filter((line) => line.kind === 'labor')),
    parts: sum(priced.filter((line) => line.kind === 'part')),
    fees: sum(priced.filter((line) => line.kind === 'fee')),
    sublet: sum(priced.filter((line) => line.kind === 'sublet')),
    discount,
    tax,
    total: whole - discount + tax,
  }
}

/** The taxable amount of a job in cents: the sum of its taxable lines minus the discount that applies to them. */
export function taxableCents(lines: readonly CountedLine[]): number {
  const priced = lines.filter((line) => line.kind !== 'discount')
  const sum = (counted: readonly CountedLine[]) =>
    counted.reduce((total, line) => total + priceCents(line), 0)
  const whole = sum(priced)
  const taxed = sum(priced.filter((line) => line.isTaxable))
  const taxedDiscount = lines.reduce((total, line) => total + taxedPartOf(line, taxed), 0)
  const discount = lines.reduce((total, line) => total + discountOf(line, whole), 0)
  // The taxable amount never exceeds the amount that the customer pays.
  return Math.max(0, Math.min(taxed - taxedDiscount, whole - discount))
}

function priceCents({ quantityThousandths, unitPriceCents }: CountedLine): number {
  return divideHalfUp(quantityThousandths * unitPriceCents, 1000)
}

/**
 * The amount in cents that a discount line subtracts from a job whose other lines cost `whole`; 0 for other kinds of
 * lines.
 */
function discountOf(line: CountedLine, whole: number): number {
  if (line.kind !== 'discount') return 0
  return line.subtype === 'percent'
    ? divideHalfUp(line.quantityThousandths * whole, 100_000)
    : priceCents(line)
}

/**
 * The part of a discount that lowers the taxable amount: for a percentage, that percentage of the taxable amount; for a
 * fixed amount, the whole amount if the discount line is taxable, otherwise 0.
 */
function taxedPartOf(line: CountedLine, taxed: number): number {
  if (line.kind !== 'discount') return 0
  if (line.subtype === 'percent') return discountOf(line, taxed)
  return line.isTaxable ? priceCents(line) : 0
}

/** The totals of several jobs in cents, without their lines. */
export type EstimateTotals = Omit<JobTotals, 'lines'>

const parts = ['labor', 'parts', 'fees', 'sublet', 'discount', 'tax', 'total'] as const

/** Adds up the totals of several jobs, which are already rounded for each job. */
export function addJobs(jobs: readonly EstimateTotals[]): EstimateTotals {
  const sum = { labor: 0, parts: 0, fees: 0, sublet: 0, discount: 0, tax: 0, total: 0 }
  for (const job of jobs) for (const part of parts) sum[part] += job[part]
  return sum
}

const decimalText = /^(\d{0,6})(?:\.(\d{0,3}))?$/

/**
 * Parses a decimal text to thousandths: '1.2' → 1200, '.335' → 335; undefined when the text is not a number, is
 * negative, or has more than three decimals.
 */
export function parseThousandths(input: string): number | undefined {
  const [matched, whole = '', fraction = ''] = decimalText.exec(input.trim()) ?? []
  if (matched === undefined || whole + fraction === '') return undefined
  return Number(whole || '0') * 1000 + Number(fraction.padEnd(3, '0'))
}

/** Formats thousandths as a decimal text: 1200 → '1.2', 3000 → '3'. */
export function formatThousandths(quantityThousandths: number): string {
  const fraction = String(quantityThousandths % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  const whole = String(Math.floor(quantityThousandths / 1000))
  return fraction === '' ? whole : `${whole}.${fraction}`
}
