/** Until a document or a process says whose clock it shows: that of a fresh shop. */
let current = 'America/Los_Angeles'

/**
 * Whose wall clock this document or process shows from now on, by the IANA name of its zone: set at its start, and again
 * when the shop's facts change (docs/decisions/0021-render-public-pages-on-the-server-from-shop-settings.md).
 */
export function setShopTimeZone(timeZone: string): void {
  current = timeZone
}

export function shopTimeZone(): string {
  return current
}
