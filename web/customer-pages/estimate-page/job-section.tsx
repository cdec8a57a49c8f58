import type { CSSProperties } from 'react'
import {
  addedBy,
  type DecisionForm,
  isDecided,
  nameOf,
  type SentJob,
} from '#contracts/estimates/decision-form.ts'
import type {
  EstimateLine,
  Measurement,
  SentRevision,
  TearDown,
} from '#contracts/estimates/estimates.ts'
import { formatThousandths, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { tearDownFacts } from '#domain/estimates/tear-down.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Badge } from '#web/ui/badge/badge.tsx'

type JobProps = {
  sentRevision: SentRevision
  job: SentJob
  /**
   * The customer's choices in the approval form; undefined when the customer can no longer decide. If set, the section
   * shows the radio buttons that approve or decline the job.
   */
  choice: DecisionForm | undefined
}

/** Shows one job of the estimate with its title, price, and the reason for the work. */
export function Job({ sentRevision, job, choice }: JobProps) {
  const { title, customerDescription, measurement, tearDown, totalCents } = job
  const isDone = sentRevision.state !== 'open' || isDecided(sentRevision, job)
  return (
    <article className="card estimate-job">
      <header>
        <div>
          <JobBadge sentRevision={sentRevision} job={job} />
          <h2>{title}</h2>
        </div>
        <b className="estimate-price">{formatCents(totalCents)}</b>
      </header>
      {customerDescription !== '' && <p>{customerDescription}</p>}
      {measurement && <Gauge title={title} measurement={measurement} />}
      {tearDown && <TearDownTerms tearDown={tearDown} />}
      <PriceDetails job={job} taxRate={sentRevision.taxRate} />
      {!isDone && job.authorizedCents > 0 && <Raised job={job} />}
      {choice && !isDone && <DecisionButtons job={job} isApproved={choice.approved.has(job.key)} />}
    </article>
  )
}

/** The terms that the customer must be able to read before approving a tear-down (16 CCR 3353). */
function TearDownTerms({ tearDown }: { tearDown: TearDown }) {
  return (
    <dl className="estimate-tear-down" aria-label="Tear-down">
      {tearDownFacts(tearDown).map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function JobBadge({ sentRevision, job }: Omit<JobProps, 'choice'>) {
  const { decision, isNeeded } = job
  if (decision !== null && isDecided(sentRevision, job)) {
    return decision === 'approved' ? <Badge tone="ok">Approved</Badge> : <Badge>Not now</Badge>
  }
  return isNeeded ? <Badge tone="warn">Needed now</Badge> : <Badge>Can wait</Badge>
}

/** Shows the revised price of a job beside the approved price, as the law requires (16 CCR 3354). */
function Raised({ job }: { job: SentJob }) {
  const what = job.authorizedCents === job.totalCents ? 'work' : 'price'
  return (
    <p>
      You already approved {formatCents(job.authorizedCents)}. The {what} is new.
    </p>
  )
}

function DecisionButtons({ job, isApproved }: { job: SentJob; isApproved: boolean }) {
  const name = nameOf(job.key)
  return (
    <fieldset className="estimate-decision">
      <legend className="visually-hidden">{job.title}</legend>
      <label>
        <input
          type="radio"
          name={name}
          value="approve"
          data-adds={addedBy(job)}
          defaultChecked={isApproved}
        />
        <span>Approve</span>
      </label>
      <label>
        <input type="radio" name={name} value="wait" defaultChecked={!isApproved} />
        <span>Not now</span>
      </label>
    </fieldset>
  )
}

function PriceDetails({ job, taxRate }: { job: SentJob; taxRate: number }) {
  const { lines, taxCents } = job
  if (lines.length === 0) return null
  const cents = jobTotals(lines, taxRate).lines
  return (
    <details className="estimate-inside">
      <summary>What this price includes</summary>
      <dl>
        {lines.map((line, nth) => (
          // oxlint-disable-next-line react/no-array-index-key -- two lines of a job may be equal
          <PriceRow key={nth} name={formatLine(line)} cents={cents[nth] ?? 0} />
        ))}
        {taxCents > 0 && <PriceRow name="Sales tax" cents={taxCents} />}
      </dl>
    </details>
  )
}

function PriceRow({ name, cents }: { name: string; cents: number }) {
  // A minus sign (U+2212), which screen readers read aloud. Screen readers skip a hyphen.
  const sign = cents < 0 ? '\u2212' : ''
  return (
    <div>
      <dt>{name}</dt>
      <dd>{sign + formatCents(Math.abs(cents))}</dd>
    </div>
  )
}

const names = { labor: 'Labor', part: 'Part', fee: 'Fee', sublet: 'Sublet', discount: 'Discount' }
const conditions: Readonly<Record<string, string>> = {
  new: 'new',
  used: 'used',
  rebuilt: 'rebuilt',
  reconditioned: 'reconditioned',
  oem: 'by the car’s maker',
}

/** Returns a text such as 'Labor, 1.2 h', 'Brake rotors, 2, new' or 'Returning customer, 10% off'. */
function formatLine({ kind, subtype, description, quantityThousandths }: EstimateLine): string {
  const count = formatThousandths(quantityThousandths)
  const more = [
    kind === 'labor' && `${count} h`,
    kind !== 'labor' && kind !== 'discount' && quantityThousandths !== 1000 && count,
    kind === 'discount' && subtype === 'percent' && `${count}% off`,
    kind === 'part' && conditions[subtype],
  ]
  return [description.trim() || names[kind], ...more].filter(Boolean).join(', ')
}

/** The maximum number of ticks on the scale of a measurement. On a phone, nobody could distinguish more. */
const mostTicks = 12

/** Shows a measurement as text and on a scale that starts at zero. */
function Gauge({ title, measurement }: { title: string; measurement: Measurement }) {
  const { value, limit, whenNew, unit } = measurement
  const end = Math.max(value, limit, whenNew)
  if (!(end > 0)) return null
  const place = (at: number) => `${Math.round((Math.max(0, at) / end) * 1000) / 10}%`
  const text = `${title}: ${value} ${unit}. The limit is ${limit}, new is ${whenNew} ${unit}.`
  return (
    <div className="gauge" role="img" aria-label={text}>
      <div className="gauge-bar" style={property('--tick', place(tickOf(end)))}>
        <i style={property('--at', place(value))} />
        <u style={property('--at', place(limit))} />
      </div>
      <p className={unit.length <= 4 ? 'gauge-placed' : undefined}>
        <b>
          {value} {unit}
        </b>{' '}
        <span className="gauge-limit" style={property('--at', place(limit))}>
          limit {limit}
        </span>{' '}
        <span>
          new {whenNew} {unit}
        </span>
      </p>
    </div>
  )
}

const property = (name: string, value: string) => ({ [name]: value }) as CSSProperties

/** Returns the distance between two ticks of a scale that ends at `end`: 1, 2 or 5 times a power of ten. */
function tickOf(end: number): number {
  const power = 10 ** Math.floor(Math.log10(end / mostTicks))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => end / step <= mostTicks) ?? end
}
