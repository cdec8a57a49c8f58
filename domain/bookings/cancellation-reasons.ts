/** The reasons for a cancellation that a customer can choose; the history of the booking stores the text. */
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
