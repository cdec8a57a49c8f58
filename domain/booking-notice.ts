import { durationInWords } from './duration-text.ts'
import { shopInstant } from './shop-time.ts'

/**
 * How long before its start an appointment must be booked (docs/product.md 9.3); the same number is in the
 * database's `internal.booking_refusal`.
 */
export const minimumNoticeMinutes = 120

/** '2 hours', as the notice sentences name it (docs/product.md 2.3 and 5.3). */
export const minimumNoticeText = durationInWords(minimumNoticeMinutes)

/**
 * Whether an appointment at a shop date and time is still far enough ahead; exactly at the limit it is.
 * Real minutes count, not the wall clock's: over a daylight-saving change they differ.
 */
export function hasMinimumNotice(date: string, time: string, now: Date): boolean {
  const noticeMs = minimumNoticeMinutes * 60_000
  return shopInstant(date, time).getTime() >= now.getTime() + noticeMs
}
