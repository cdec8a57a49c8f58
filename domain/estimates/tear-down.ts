import { formatCents } from '#domain/money/format-cents.ts'

/**
 * The terms that the shop must state to a customer before a tear-down (16 CCR 3353). In a draft, null and '' mark
 * missing terms.
 */
export type TearDownTerms = {
  /** The parts of the vehicle that the shop takes apart. */
  readonly areas: string
  readonly priceCents: number | null
  readonly reassemblyPriceCents: number | null
  readonly destroyedParts: string
  /** The maximum time until the parts are reassembled, counted from the authorization: '5 business days'. */
  readonly reassemblyTime: string
  readonly mayPreventReassembly: boolean | null
}

/** The label of each term, in the order in which every document shows them. */
export const tearDownLabels = {
  areas: 'Areas',
  priceCents: 'Price of tear-down',
  reassemblyPriceCents: 'Price of reassembly',
  destroyedParts: 'Parts normally destroyed',
  reassemblyTime: 'Longest time to reassemble',
  mayPreventReassembly: 'May prevent reassembly',
} as const satisfies Record<keyof TearDownTerms, string>

/** Returns the terms of a tear-down as pairs of label and text, without the missing terms. */
export function tearDownFacts(terms: TearDownTerms): readonly (readonly [string, string])[] {
  const money = (cents: number | null) => (cents === null ? '' : `${formatCents(cents)} before tax`)
  const risk = terms.mayPreventReassembly
  const facts = [
    [tearDownLabels.areas, terms.areas],
    [tearDownLabels.priceCents, money(terms.priceCents)],
    [tearDownLabels.reassemblyPriceCents, money(terms.reassemblyPriceCents)],
    [tearDownLabels.destroyedParts, terms.destroyedParts],
    [tearDownLabels.reassemblyTime, terms.reassemblyTime],
    [
      tearDownLabels.mayPreventReassembly,
      risk === null
        ? ''
        : risk
          ? 'Yes. The tear-down may prevent putting the vehicle back as it was.'
          : 'No',
    ],
  ] as const
  return facts.filter(([, text]) => text !== '')
}

/** The work that a customer declined after a tear-down, and the employee who recorded this decision. */
export type TearDownDecline = {
  readonly declined: 'repair' | 'reassembly'
  readonly jobTitle: string
  readonly notedBy: string
  /** The time (ISO 8601) at which the employee recorded the decision. */
  readonly at: string
}
