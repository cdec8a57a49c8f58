/** The time zone of a newly installed shop, used until the first call of `setShopTimeZone`. */
let current = 'America/Los_Angeles'

/**
 * Sets the IANA time zone for formatting times in this page or server process. The page or the server calls this
 * function at its start and whenever the shop's data change
 * (docs/decisions/0021-render-public-pages-on-the-server-from-shop-settings.md).
 */
export function setShopTimeZone(timeZone: string): void {
  current = timeZone
}

export function shopTimeZone(): string {
  return current
}
