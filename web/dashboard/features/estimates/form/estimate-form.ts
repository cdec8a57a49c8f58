import type {
  EstimateDocument,
  EstimateJob,
  EstimateLine,
  Measurement,
} from '#contracts/estimates/estimates.ts'
import { formatThousandths, type LineKind } from '#domain/estimates/estimate-totals.ts'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import { cleanLines, cleanLine } from '#domain/text/text-input.ts'
import { formatUnitPrice, parseUnitPrice, parseQuantity } from './parse-cell.ts'
import {
  documentTearDown,
  type EstimateFormTearDown,
  formTearDown,
  priceProblem,
  readPrice,
  tearDownInputProblems,
} from './tear-down-form.ts'

/*
 * The typed values of an estimate. Numbers are strings, so that an invalid number stays as typed. A change creates a
 * new object for the changed line or job and keeps the other objects, so that totals can be cached by object.
 */

export type EstimateFormLine = {
  /** The React key of the line. */
  readonly key: string
  readonly kind: LineKind
  readonly subtype: string
  readonly description: string
  readonly quantity: string
  readonly each: string
  readonly isTaxable: boolean
}

export type EstimateFormMeasurement = { readonly [Name in keyof Measurement]: string }

export type EstimateFormJob = Omit<EstimateJob, 'measurement' | 'tearDown' | 'lines'> & {
  readonly measurement: EstimateFormMeasurement | null
  readonly tearDown: EstimateFormTearDown | null
  readonly lines: readonly EstimateFormLine[]
}

export type EstimateForm = Omit<EstimateDocument, 'vehicle' | 'payer' | 'jobs'> & {
  readonly payer: { readonly name: string; readonly reference: string; readonly approved: string }
  readonly vehicle: Omit<EstimateDocument['vehicle'], 'odometerMiles'> & {
    readonly odometerMiles: string
  }
  readonly jobs: readonly EstimateFormJob[]
}

let lastKey = 0
export const nextLineKey = () => `line-${(lastKey += 1)}`

/** Converts the document of an estimate (its stored content) to the values of the form. */
export function formOfDocument(document: EstimateDocument): EstimateForm {
  const { vehicle, payer } = document
  const approved = payer.approvedCents === null ? '' : formatUnitPrice(payer.approvedCents)
  return {
    ...document,
    payer: { name: payer.name, reference: payer.reference, approved },
    vehicle: { ...vehicle, odometerMiles: String(vehicle.odometerMiles ?? '') },
    jobs: document.jobs.map(formJob),
  }
}

/**
 * Converts the document of an estimate to form values with the React keys of the displayed form, so that a focused cell
 * keeps the focus.
 */
export function keepLineKeys(form: EstimateForm, shown: EstimateForm): EstimateForm {
  const keysOf = (job: string) => shown.jobs.find(({ key }) => key === job)?.lines ?? []
  const jobs = form.jobs.map((job) => {
    const before = keysOf(job.key)
    const lines = job.lines.map((line, index) => ({ ...line, key: before[index]?.key ?? line.key }))
    return { ...job, lines }
  })
  return { ...form, jobs }
}

/** Converts a job to its form values. */
export function formJob(job: EstimateJob): EstimateFormJob {
  return {
    ...job,
    measurement: job.measurement && {
      value: String(job.measurement.value),
      limit: String(job.measurement.limit),
      whenNew: String(job.measurement.whenNew),
      unit: job.measurement.unit,
    },
    tearDown: job.tearDown && formTearDown(job.tearDown),
    lines: job.lines.map(formLine),
  }
}

function formLine(line: EstimateLine): EstimateFormLine {
  const { kind, subtype, description, quantityThousandths, unitPriceCents, isTaxable } = line
  const isPercent = kind === 'discount' && subtype === 'percent'
  const sign = kind === 'discount' && unitPriceCents > 0 ? '−' : ''
  return {
    key: nextLineKey(),
    kind,
    subtype,
    description,
    quantity: formatThousandths(quantityThousandths),
    each: isPercent ? '' : sign + formatUnitPrice(unitPriceCents),
    isTaxable,
  }
}

/**
 * A line with parsed numbers, and the error messages for the invalid cells of this line. An invalid cell counts as 0.
 */
export type ParsedLine = {
  readonly line: EstimateLine
  readonly problems: { readonly quantity?: string; readonly each?: string }
}

const readLines = new WeakMap<EstimateFormLine, ParsedLine>()

/**
 * Parses a line and caches the result by the line's object, because after a key press most lines of a form are
 * unchanged.
 */
export function parseLine(input: EstimateFormLine): ParsedLine {
  const cached = readLines.get(input)
  if (cached) return cached
  const read = parseInput(input)
  readLines.set(input, read)
  return read
}

function parseInput(input: EstimateFormLine): ParsedLine {
  const { kind, subtype, isTaxable } = input
  const quantity = parseQuantity(input.quantity, input)
  const isPercent = kind === 'discount' && subtype === 'percent'
  const each = parseUnitPrice(isPercent ? '' : input.each, input)
  return {
    line: {
      kind,
      subtype,
      description: cleanLine(input.description),
      quantityThousandths: quantity.ok ? quantity.value : 0,
      unitPriceCents: each.ok ? each.value : 0,
      isTaxable,
    },
    problems: {
      ...(!quantity.ok && { quantity: quantity.refusal }),
      ...(!each.ok && { each: each.refusal }),
    },
  }
}

/** Whether staff have typed nothing into a line. Empty lines are not part of the estimate. */
export function isBlank({ description, quantity, each, kind, subtype }: EstimateFormLine): boolean {
  const isPercent = kind === 'discount' && subtype === 'percent'
  const isUnpriced = quantity.trim() === '' || (!isPercent && each.trim() === '')
  return description.trim() === '' && isUnpriced
}

const mostMeasured = 1_000_000
const measureText = /^\d{1,7}(?:\.\d{1,3})?$/

/** Whether the fields for the measured value, its limit and the value of a new part are all empty. */
const isUnmeasured = ({ value, limit, whenNew }: EstimateFormMeasurement) =>
  [value, limit, whenNew].every((number) => number.trim() === '')

/** The reason why the fields of a measurement are invalid; undefined if they are valid or all empty. */
export function measurementProblem(measurement: EstimateFormMeasurement): string | undefined {
  const { value, limit, whenNew, unit } = measurement
  if (isUnmeasured(measurement)) return undefined
  const isNumber = (text: string) => measureText.test(text.trim()) && Number(text) <= mostMeasured
  if (![value, limit, whenNew].every(isNumber)) {
    return 'Enter numbers in “Measured”, “Limit” and “New”, for example 2, 3 and 11.'
  }
  return unit.trim() === '' ? 'Enter a unit, for example mm.' : undefined
}

/**
 * Converts the form values to the document of an estimate, and returns the error message of each cell that prevents
 * saving.
 */
export function documentOf(form: EstimateForm): {
  readonly document: EstimateDocument
  readonly problems: readonly string[]
} {
  const { customer, vehicle } = form
  const lines = <Texts extends Record<string, string>>(texts: Texts) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, cleanLine(text)]),
    ) as Texts
  const { odometerMiles, ...vehicleFields } = vehicle
  return {
    document: {
      customer: lines(customer),
      vehicle: { ...lines(vehicleFields), odometerMiles: readMiles(odometerMiles) ?? null },
      payer: {
        name: cleanLine(form.payer.name),
        reference: cleanLine(form.payer.reference),
        approvedCents: readPrice(form.payer.approved),
      },
      customerNote: cleanLines(form.customerNote),
      internalNote: cleanLines(form.internalNote),
      goodUntil: form.goodUntil,
      jobs: form.jobs.map(documentJob),
    },
    problems: [
      emailProblem(form.customer.email),
      odometerProblem(form),
      priceProblem(form.payer.approved),
      goodUntilProblem(form),
      ...form.jobs.flatMap(jobProblems),
    ].filter((text) => text !== undefined),
  }
}

/** The miles in a typed odometer reading; undefined for a text that cannot be an odometer reading. */
export function readMiles(input: string): number | undefined {
  const miles = input.replaceAll(',', '').trim()
  return /^\d{1,7}$/.test(miles) && Number(miles) <= mostMiles ? Number(miles) : undefined
}

const mostMiles = 2_000_000

/** The reason why the mileage is invalid. */
export function odometerProblem({ vehicle: { odometerMiles } }: EstimateForm): string | undefined {
  const isRead = odometerMiles.trim() === '' || readMiles(odometerMiles) !== undefined
  return isRead ? undefined : 'Enter the miles as a whole number, for example 71506.'
}

/** The reason why an email address is invalid. */
export function emailProblem(email: string): string | undefined {
  const isRead = email.trim() === '' || isEmailAddress(email.trim())
  return isRead ? undefined : 'Enter a complete email address.'
}

export function goodUntilProblem({ goodUntil }: EstimateForm): string | undefined {
  return goodUntil === '' ? 'Enter the last day on which the estimate is good.' : undefined
}

/** Converts the form values of a job to the job in the document, without empty lines. */
export function documentJob(job: EstimateFormJob): EstimateJob {
  const { measurement } = job
  return {
    key: job.key,
    title: cleanLine(job.title),
    customerDescription: cleanLines(job.customerDescription),
    isNeeded: job.isNeeded,
    measurement:
      measurement && !isUnmeasured(measurement) && !measurementProblem(measurement)
        ? {
            value: Number(measurement.value),
            limit: Number(measurement.limit),
            whenNew: Number(measurement.whenNew),
            unit: cleanLine(measurement.unit),
          }
        : null,
    tearDown: job.tearDown && documentTearDown(job.tearDown),
    lines: job.lines.filter((line) => !isBlank(line)).map((line) => parseLine(line).line),
  }
}

/** The reasons why cells of a job are invalid. */
export function jobProblems({ lines, measurement, tearDown }: EstimateFormJob): string[] {
  return [
    measurement ? measurementProblem(measurement) : undefined,
    ...(tearDown ? tearDownInputProblems(tearDown) : []),
    ...lines.flatMap((line) => Object.values(parseLine(line).problems)),
  ].filter((text) => text !== undefined)
}
