const graceMs = 15 * 60_000

/**
 * Returns whether staff may mark a booking as a no-show: from 15 minutes after its start (docs/product.md 12.4). Both
 * arguments are times of the shop's wall clock, 'yyyy-MM-ddTHH:mm:ss'. The database enforces the same limit.
 */
export function canMarkNoShow(startsAt: string, now: string): boolean {
  return Date.parse(`${now}Z`) - Date.parse(`${startsAt}Z`) >= graceMs
}
