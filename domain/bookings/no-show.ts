const graceMs = 15 * 60_000

/**
 * Whether a customer can be said to have missed an appointment: from 15 minutes after its start (docs/product.md 12.4).
 * Both are the shop's wall clock, 'yyyy-MM-ddTHH:mm:ss', compared as the database compares them.
 */
export function canMarkNoShow(startsAt: string, now: string): boolean {
  return Date.parse(`${now}Z`) - Date.parse(`${startsAt}Z`) >= graceMs
}
