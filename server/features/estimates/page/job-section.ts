import type { EstimateLine, Measurement, SentRevision } from '#contracts/estimates/estimates.ts'
import { formatThousandths, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import { addedBy, type DecisionForm, isDecided, nameOf, type SentJob } from './decision-form.ts'

/** Renders a job in plain words, with its price and its reason. `choice` adds the buttons for the decision. */
export function renderJob(
  sentRevision: SentRevision,
  job: SentJob,
  choice: DecisionForm | undefined,
): Markup {
  const { title, customerDescription, measurement, totalCents } = job
  const isDone = sentRevision.state !== 'open' || isDecided(sentRevision, job)
  return html`<article class="card estimate-job">
    <header>
      <div>
        ${badgeOf(sentRevision, job)}
        <h2>${title}</h2>
      </div>
      <b class="estimate-price">${formatCents(totalCents)}</b>
    </header>
    ${customerDescription !== '' && html`<p>${customerDescription}</p>`}${measurement && gaugeOf(title, measurement)}
    ${priceOf(job, sentRevision.taxRate)}${!isDone && raisedOf(job)}
    ${choice && !isDone && decisionOf(job, choice)}
  </article>`
}

function badgeOf(sentRevision: SentRevision, job: SentJob): Markup {
  const { decision } = job
  const hasDecision = decision !== null && isDecided(sentRevision, job)
  if (hasDecision && decision === 'approved') {
    return html`<span class="badge badge-ok">Approved</span>`
  }
  if (hasDecision) return html`<span class="badge">Not now</span>`
  return job.isNeeded
    ? html`<span class="badge badge-warn">Needed now</span>`
    : html`<span class="badge">Can wait</span>`
}

/** Renders the revised price beside the approved one, as the law requires (16 CCR 3354). */
function raisedOf(job: SentJob): Markup | undefined {
  if (job.authorizedCents === 0) return undefined
  const before = formatCents(job.authorizedCents)
  const what = job.authorizedCents === job.totalCents ? 'work' : 'price'
  return html`<p>You already approved ${before}. The ${what} is new.</p>`
}

function decisionOf(job: SentJob, { approved }: DecisionForm): Markup {
  const name = nameOf(job.key)
  const isOn = approved.has(job.key)
  return html`<fieldset class="estimate-decision">
    <legend class="visually-hidden">${job.title}</legend>
    <label
      ><input
        type="radio"
        name="${name}"
        value="approve"
        data-adds="${addedBy(job)}"
        ${isOn && checked}
      /><span>Approve</span></label
    ><label
      ><input type="radio" name="${name}" value="wait" ${!isOn && checked} /><span
        >Not now</span
      ></label
    >
  </fieldset>`
}

const checked = html`checked`

function priceOf({ lines, taxCents }: SentJob, taxRate: number): Markup | undefined {
  if (lines.length === 0) return undefined
  const cents = jobTotals(lines, taxRate).lines
  const rows = lines.map((line, nth) => rowOf(wordsOf(line), cents[nth] ?? 0))
  return html`<details class="estimate-inside">
    <summary>What this price includes</summary>
    <dl>${rows}${taxCents > 0 && rowOf('Sales tax', taxCents)}</dl>
  </details>`
}

function rowOf(name: string, cents: number): Markup {
  // A minus sign (U+2212), which screen readers read aloud; they skip a hyphen.
  const amount = formatCents(Math.abs(cents))
  return html`<div>
    <dt>${name}</dt>
    <dd>${cents < 0 ? `\u2212${amount}` : amount}</dd>
  </div>`
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
function wordsOf({ kind, subtype, description, quantityThousandths }: EstimateLine): string {
  const count = formatThousandths(quantityThousandths)
  const more = [
    kind === 'labor' && `${count} h`,
    kind !== 'labor' && kind !== 'discount' && quantityThousandths !== 1000 && count,
    kind === 'discount' && subtype === 'percent' && `${count}% off`,
    kind === 'part' && conditions[subtype],
  ]
  return [description.trim() || names[kind], ...more].filter(Boolean).join(', ')
}

/** The maximum number of ticks that remain distinguishable on a phone. */
const mostTicks = 12

/** Renders a measurement on a scale with ticks that starts at zero, and as text. */
function gaugeOf(title: string, { value, limit, whenNew, unit }: Measurement): Markup | undefined {
  const end = Math.max(value, limit, whenNew)
  if (!(end > 0)) return undefined
  const place = (at: number) => `${Math.round((Math.max(0, at) / end) * 1000) / 10}%`
  const text = `${title}: ${value} ${unit}. The limit is ${limit}, new is ${whenNew} ${unit}.`
  return html`<div class="gauge" role="img" aria-label="${text}">
    <div class="gauge-bar" style="--tick:${place(tickOf(end))}">
      <i style="--at:${place(value)}"></i><u style="--at:${place(limit)}"></u>
    </div>
    <p class="${unit.length <= 4 && 'gauge-placed'}">
      <b>${value} ${unit}</b>
      <span class="gauge-limit" style="--at:${place(limit)}">limit ${limit}</span>
      <span>new ${whenNew} ${unit}</span>
    </p>
  </div>`
}

/** Returns the distance between two ticks: 1, 2 or 5 times a power of ten. */
function tickOf(end: number): number {
  const power = 10 ** Math.floor(Math.log10(end / mostTicks))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => end / step <= mostTicks) ?? end
}
