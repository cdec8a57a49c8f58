/** Formats an amount in minor units of a currency: `54950, 'usd'` becomes '$549.50'. */
export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}

/** Formats an instant, in seconds since 1970, as a date in a time zone: 'November 20, 2026'. */
export function formatDate(seconds: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(seconds * 1000)
}
