import { formatCents } from '#domain/money/format-cents.ts'

/** The third-party payer of an estimate, such as an insurer, as documents print it (16 CCR 3353). */
export type PrintedPayer = {
  readonly name: string
  /** The number of the payer's insurance claim or of the payer's own estimate. */
  readonly reference: string
  /** The amount that the payer approved, in cents; null while the amount is unknown. */
  readonly approvedCents: number | null
  /** The sentence that documents show while the approved amount is unknown; null when that amount is known. */
  readonly sentence: string | null
}

/** Returns the payer as pairs of label and text, for the PDF, the email and the customer's page. */
export function payerFacts(payer: PrintedPayer): readonly (readonly [string, string])[] {
  const { name, reference, approvedCents, sentence } = payer
  const amount =
    approvedCents === null
      ? (['Third-party payment', sentence ?? ''] as const)
      : ([payerLabels.approved, formatCents(approvedCents)] as const)
  return [[payerLabels.name, name], [payerLabels.reference, reference], amount]
}

export const payerLabels = {
  name: 'Third-party payer',
  reference: 'Claim or estimate number',
  approved: 'Amount the payer approved',
} as const
