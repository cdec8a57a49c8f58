/** The zone of a newly installed shop, used until `setShopTimeZone` is called. */
let current = 'America/Los_Angeles'

/**
 * Sets the IANA time zone that this document or process formats times in. The page or the server calls it at its start
 * and whenever the shop's facts change (docs/decisions/0021-render-public-pages-on-the-server-from-shop-settings.md).
 */
export function setShopTimeZone(timeZone: string): void {
  current = timeZone
}

export function shopTimeZone(): string {
  return current
}
