import { type LineKind } from '#domain/estimates/estimate-totals.ts'
import { lineSubtypes } from '#contracts/estimates/estimates.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import {
  isBlank,
  nextLineKey,
  type EstimateForm,
  type EstimateFormJob,
  type EstimateFormLine,
} from './estimate-form.ts'
import { emptyTearDown } from './tear-down-form.ts'

/** A change of the form. */
export type FormEdit = (form: EstimateForm) => EstimateForm

export function changeJob(
  key: string,
  change: (job: EstimateFormJob) => EstimateFormJob,
): FormEdit {
  return (form) => ({
    ...form,
    jobs: form.jobs.map((job) => (job.key === key ? change(job) : job)),
  })
}

export function changeLine(
  jobKey: string,
  lineKey: string,
  change: Partial<Omit<EstimateFormLine, 'key'>>,
): FormEdit {
  return changeJob(jobKey, (job) => ({
    ...job,
    lines: job.lines.map((line) => (line.key === lineKey ? { ...line, ...change } : line)),
  }))
}

/** Creates an empty line of the given kind. A labor line starts with the shop's labor rate. */
export function emptyLine(kind: LineKind, laborRate: string): EstimateFormLine {
  return {
    key: nextLineKey(),
    kind,
    subtype: lineSubtypes[kind][0] ?? '',
    description: '',
    quantity: kind === 'labor' ? '' : '1',
    each: kind === 'labor' ? laborRate : '',
    isTaxable: kind === 'part',
  }
}

/**
 * Changes the kind of a line (labor, part, fee or discount) and preserves the description. A change from or to labor
 * resets quantity and price: labor has hours and an hourly rate, the other kinds have a number of pieces and a unit
 * price.
 */
export function changeLineKind(
  line: EstimateFormLine,
  kind: LineKind,
  laborRate: string,
): EstimateFormLine {
  const empty = emptyLine(kind, laborRate)
  const { key, description, quantity, each } = line
  const isLaborChanged = (line.kind === 'labor') !== (kind === 'labor')
  return { ...empty, key, description, ...(!isLaborChanged && { quantity, each }) }
}

/** Adds a line to a job: below another line, or as the last line. */
export function addLine(jobKey: string, line: EstimateFormLine, behindKey?: string): FormEdit {
  return changeJob(jobKey, (job) => {
    const behind = job.lines.findIndex(({ key }) => key === behindKey)
    const at = behind < 0 ? job.lines.length : behind + 1
    return { ...job, lines: job.lines.toSpliced(at, 0, line) }
  })
}

export function removeLine(jobKey: string, lineKey: string): FormEdit {
  return changeJob(jobKey, (job) => ({
    ...job,
    lines: job.lines.filter(({ key }) => key !== lineKey),
  }))
}

/** Restores a removed line at its old position. */
export function restoreLine(jobKey: string, line: EstimateFormLine, index: number): FormEdit {
  return changeJob(jobKey, (job) => ({ ...job, lines: job.lines.toSpliced(index, 0, line) }))
}

export function moveLine(jobKey: string, lineKey: string, step: 1 | -1): FormEdit {
  return changeJob(jobKey, (job) => ({ ...job, lines: moved(job.lines, lineKey, step) }))
}

export function moveJob(jobKey: string, step: 1 | -1): FormEdit {
  return (form) => ({ ...form, jobs: moved(form.jobs, jobKey, step) })
}

export function moveJobToTop(jobKey: string): FormEdit {
  const isIt = ({ key }: EstimateFormJob) => key === jobKey
  return (form) => ({
    ...form,
    jobs: [...form.jobs.filter(isIt), ...form.jobs.filter((job) => !isIt(job))],
  })
}

function moved<Keyed extends { readonly key: string }>(
  list: readonly Keyed[],
  key: string,
  step: 1 | -1,
): readonly Keyed[] {
  const from = list.findIndex((entry) => entry.key === key)
  const to = from + step
  const entry = list[from]
  if (!entry || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, entry)
}

export function addJob(job: EstimateFormJob, index = Infinity): FormEdit {
  return (form) => ({ ...form, jobs: form.jobs.toSpliced(index, 0, job) })
}

export function removeJob(jobKey: string): FormEdit {
  return (form) => ({ ...form, jobs: form.jobs.filter(({ key }) => key !== jobKey) })
}

/** A new job with a name and one empty labor line. */
export function emptyJob(title: string, laborRate: string): EstimateFormJob {
  return {
    key: randomUuid(),
    title,
    customerDescription: '',
    isNeeded: true,
    measurement: null,
    tearDown: null,
    lines: [emptyLine('labor', laborRate)],
  }
}

/**
 * Turns the job into a tear-down. If the job has no priced line, this function adds a labor line for the tear-down and
 * one for the reassembly.
 */
export function asTearDown(job: EstimateFormJob, laborRate: string): EstimateFormJob {
  const lines = ['Tear-down', 'Reassembly'].map((description) =>
    Object.assign(emptyLine('labor', laborRate), { description }),
  )
  return { ...job, tearDown: emptyTearDown, lines: job.lines.every(isBlank) ? lines : job.lines }
}
