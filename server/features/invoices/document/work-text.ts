import type { Authorization, EstimateJob, EstimateLine } from '#contracts/estimates/estimates.ts'
import { formatAuthorization } from '#domain/estimates/authorization-text.ts'
import { addJobs, formatThousandths, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { odometerText } from '#domain/estimates/odometer-text.ts'
import { type TearDownDecline, tearDownFacts } from '#domain/estimates/tear-down.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatRate } from '#domain/money/tax-rate.ts'
import { type LabeledAmount, type LineText, visible } from './line-text.ts'

/** The customer's latest decision about a job; null before any decision. */
type Decision = Authorization['decision'] | null

/** The jobs of an estimate or an invoice, for printing. */
export type Work = {
  readonly vehicle: {
    readonly year: string
    readonly make: string
    readonly model: string
    readonly plate: string
    readonly odometerMiles: number | null
  }
  /** The tax rate in ten-thousandths of a percent: 82500 is 8.25 %. */
  readonly taxRate: number
  readonly jobs: readonly (EstimateJob & { readonly decision: Decision })[]
  readonly authorizations: readonly Authorization[]
  /**
   * The repairs and reassemblies that the customer declined after a tear-down (disassembly for diagnosis), oldest
   * first.
   */
  readonly tearDownDeclines: readonly TearDownDecline[]
}

/** The jobs of an estimate or invoice with every amount as text. */
export type WorkText = {
  /** The vehicle, its license plate and its odometer reading, one line each. */
  readonly vehicle: readonly string[]
  readonly jobs: readonly JobText[]
  /** The totals per line kind that Californian law requires (16 CCR 3356), each without tax, and the tax. */
  readonly sums: readonly LabeledAmount[]
  readonly total: string
  /**
   * One sentence for each batch of authorizations (decisions that a customer made at the same time), with the customer,
   * the channel, the time, the decision and the amount. After them, one sentence for each repair or reassembly that the
   * customer declined after a tear-down (disassembly for diagnosis).
   */
  readonly authorizations: readonly string[]
}

export type JobText = {
  readonly title: string
  /** The need for the job and the customer's decision as text, such as 'Required, approved'. */
  readonly states: string
  readonly customerDescription: string
  /** The terms of a tear-down (disassembly for diagnosis), one line each; empty for any other job. */
  readonly terms: readonly string[]
  /** The lines of the job; the last line is the tax, if the job has tax. */
  readonly lines: readonly LineText[]
  readonly total: string
}

/**
 * Formats jobs as text, with amounts that follow the rounding rules of docs/product.md 15.2. `unreadOdometer` is
 * printed in place of a missing odometer reading.
 */
export function formatWork(
  { vehicle, taxRate, jobs, authorizations, tearDownDeclines }: Work,
  unreadOdometer = '',
): WorkText {
  const all = addJobs(jobs.map(({ lines }) => jobTotals(lines, taxRate)))
  const tax = taxFigure(taxRate, all.tax)
  const figure = (label: string, cents: number) => ({ label, amount: formatCents(cents) })
  return {
    vehicle: vehicleLines(vehicle, unreadOdometer),
    jobs: jobs.map((job) => formatJob(job, taxRate)),
    sums: [
      figure('Labor and services', all.labor + all.sublet),
      figure('Parts', all.parts),
      ...(all.fees === 0 ? [] : [figure('Fees', all.fees)]),
      ...(all.discount === 0 ? [] : [figure('Discount', -all.discount)]),
      tax,
    ],
    total: formatCents(all.total),
    authorizations: [
      ...groupBatches(authorizations).map(formatBatch),
      ...tearDownDeclines.map(formatDecline),
    ],
  }
}

const taxFigure = (taxRate: number, cents: number): LabeledAmount => ({
  label: `Sales tax, ${formatRate(taxRate)}%`,
  amount: formatCents(cents),
})

function vehicleLines(
  { year, make, model, plate, odometerMiles }: Work['vehicle'],
  unreadOdometer: string,
): string[] {
  const vehicleLabel = [year, make, model].filter((word) => word !== '').join(' ')
  const odometer = odometerMiles === null ? unreadOdometer : odometerText(odometerMiles)
  return [vehicleLabel, plate, odometer].map(visible).filter((line) => line !== '')
}

const decided = { approved: 'approved', declined: 'declined', withdrawn: 'withdrawn' } as const

function formatJob(job: Work['jobs'][number], taxRate: number): JobText {
  const totals = jobTotals(job.lines, taxRate)
  const lines = job.lines.map((line, index) => formatLine(line, totals.lines[index] ?? 0))
  const { label, amount } = taxFigure(taxRate, totals.tax)
  const tax = { description: label, quantity: '', unitPrice: '', amount }
  const need = job.isNeeded ? 'Required' : 'Recommended'
  return {
    title: visible(job.title),
    states: job.decision === null ? need : `${need}, ${decided[job.decision]}`,
    customerDescription: visible(job.customerDescription),
    terms: (job.tearDown ? tearDownFacts(job.tearDown) : []).map(([label, text]) =>
      visible(`${label}: ${text}`),
    ),
    lines: totals.tax === 0 ? lines : [...lines, tax],
    total: formatCents(totals.total),
  }
}

/** The names of the line kinds, which Californian law requires on an invoice (16 CCR 3356). */
const kinds = {
  labor: 'Labor',
  part: 'Part',
  fee: 'Fee',
  sublet: 'Work done elsewhere',
  discount: 'Discount',
} as const

function formatLine(line: EstimateLine, cents: number): LineText {
  const condition = line.subtype === 'oem' ? 'OEM' : line.subtype
  const kind = line.kind === 'part' ? `${kinds.part}, ${condition}` : kinds[line.kind]
  const count = formatThousandths(line.quantityThousandths)
  const isShare = line.subtype === 'percent'
  const each = line.kind === 'discount' ? 0 - line.unitPriceCents : line.unitPriceCents
  return {
    description: `${kind}: ${visible(line.description)}`,
    quantity: isShare ? `${count}% off` : line.kind === 'labor' ? `${count} h` : count,
    unitPrice: isShare ? '' : formatCents(each),
    amount: formatCents(cents),
  }
}

const formatDecline = ({ declined, jobTitle, notedBy, at }: TearDownDecline) =>
  visible(
    `The customer declined the ${declined} after the tear-down: ${jobTitle}. Noted by ${notedBy}, ${formatStamp(at)}.`,
  )

/** Groups the authorizations by batch. A batch consists of the decisions that a customer made at the same time. */
function groupBatches(lines: readonly Authorization[]): Authorization[][] {
  return [...Map.groupBy(lines, ({ batchId }) => batchId).values()]
}

function formatBatch(batch: readonly Authorization[]): string {
  const last = batch.at(-1)
  if (!last) return ''
  const jobs = batch.map(
    ({ decision, jobTitle, amountCents }) =>
      `${decided[decision]} ${jobTitle}, ${formatCents(amountCents)}`,
  )
  const line =
    last.contact === ''
      ? formatAuthorization(last)
      : `${formatAuthorization(last)}, ${last.contact}`
  const quoted = last.statement === '' ? '' : ` “${last.statement}”`
  const parts = last.wantsPartsBack ? ' The customer asked for the replaced parts.' : ''
  const inAll = formatCents(last.runningTotalCents)
  return visible(`${line}: ${jobs.join('; ')}.${quoted}${parts} Authorized total: ${inAll}.`)
}
