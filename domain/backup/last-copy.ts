import { addDays } from '#domain/calendar/calendar-date.ts'

/**
 * The day on which the site deletes the last copy of data that was erased on `erasedOn`. Both are shop dates.
 *
 * In a continuous backup, the last copy with the data is the full backup of the next night. This backup can be made
 * before the tables' files are rewritten (docs/product.md 16.9). A nightly copy of rows contains the data only when the
 * copy was made before the erasure. The site keeps a copy until the next copy, made one day later, is `keepDays` old,
 * and deletes the copy in the following night.
 */
export function lastCopyExpiresOn(
  erasedOn: string,
  { keepDays, isNightly }: { readonly keepDays: number; readonly isNightly: boolean },
): string {
  const lastCopyOn = isNightly ? erasedOn : addDays(erasedOn, 1)
  return addDays(lastCopyOn, 1 + keepDays + 1)
}
