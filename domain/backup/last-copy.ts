import { addDays } from '#domain/calendar/calendar-date.ts'

/**
 * The day on which the last copy of data that was erased on `erasedOn` is deleted; both are dates of the shop.
 *
 * The last copy of a log is the full copy of the next night, which can be made before the files of the tables are
 * rewritten (docs/product.md 16.9). A nightly copy of rows contains the data only when it was made before the erasure. A copy is kept until
 * the next one, of a day later, is `keepDays` old, and it is deleted in the night after that.
 */
export function lastCopyExpiresOn(
  erasedOn: string,
  { keepDays, isNightly }: { readonly keepDays: number; readonly isNightly: boolean },
): string {
  const lastCopyOn = isNightly ? erasedOn : addDays(erasedOn, 1)
  return addDays(lastCopyOn, 1 + keepDays + 1)
}
