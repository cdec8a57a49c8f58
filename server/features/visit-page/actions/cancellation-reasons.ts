/** What a customer can say why; the words are kept in the story of the appointment. */
export const cancellationReasons = [
  'Plans changed',
  'Fixed elsewhere',
  'Price',
  'Too long to wait',
  'Other',
] as const

export type CancellationReason = (typeof cancellationReasons)[number]

export function isCancellationReason(text: string | null): text is CancellationReason {
  return cancellationReasons.some((reason) => reason === text)
}
