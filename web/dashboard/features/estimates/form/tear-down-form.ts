import type { TearDown } from '#contracts/estimates/estimates.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { formatUnitPrice, parseUnitPrice } from './parse-cell.ts'

/** The typed terms of a tear-down. Prices are strings, so that the form preserves an invalid price as typed. */
export type EstimateFormTearDown = {
  readonly areas: string
  readonly priceCents: string
  readonly reassemblyPriceCents: string
  readonly destroyedParts: string
  readonly reassemblyTime: string
  /** Whether the vehicle may be impossible to reassemble after the tear-down, as staff chose; '' until they choose. */
  readonly mayPreventReassembly: '' | 'yes' | 'no'
}

export const emptyTearDown: EstimateFormTearDown = {
  areas: '',
  priceCents: '',
  reassemblyPriceCents: '',
  destroyedParts: '',
  reassemblyTime: '',
  mayPreventReassembly: '',
}

/** The `data-cell` attribute of a field for one term of a tear-down. */
export const tearDownCell = (jobKey: string, name: keyof EstimateFormTearDown) =>
  `${jobKey}:tear-down:${name}`

/** Converts the terms of a tear-down to form values. */
export function formTearDown(terms: TearDown): EstimateFormTearDown {
  const price = (cents: number | null) => (cents === null ? '' : formatUnitPrice(cents))
  const { mayPreventReassembly } = terms
  return {
    areas: terms.areas,
    priceCents: price(terms.priceCents),
    reassemblyPriceCents: price(terms.reassemblyPriceCents),
    destroyedParts: terms.destroyedParts,
    reassemblyTime: terms.reassemblyTime,
    mayPreventReassembly: mayPreventReassembly === null ? '' : mayPreventReassembly ? 'yes' : 'no',
  }
}

/** Converts the form values to the terms of a tear-down. An empty or invalid price becomes null. */
export function documentTearDown(form: EstimateFormTearDown): TearDown {
  const { mayPreventReassembly } = form
  return {
    areas: cleanLine(form.areas),
    priceCents: readPrice(form.priceCents),
    reassemblyPriceCents: readPrice(form.reassemblyPriceCents),
    destroyedParts: cleanLine(form.destroyedParts),
    reassemblyTime: cleanLine(form.reassemblyTime),
    mayPreventReassembly: mayPreventReassembly === '' ? null : mayPreventReassembly === 'yes',
  }
}

/** A typed amount in cents; null for an empty or invalid one. */
export function readPrice(input: string): number | null {
  const read = parsePrice(input)
  return input.trim() === '' || !read.ok ? null : read.value
}

const parsePrice = (input: string) => parseUnitPrice(input, { kind: 'labor', subtype: '' })

/** The reason why a typed price is invalid; undefined for a valid or empty one. */
export function priceProblem(input: string): string | undefined {
  const read = parsePrice(input)
  return read.ok ? undefined : read.refusal
}

/** The reasons why prices of a tear-down are invalid. */
export const tearDownInputProblems = (form: EstimateFormTearDown): (string | undefined)[] => [
  priceProblem(form.priceCents),
  priceProblem(form.reassemblyPriceCents),
]
