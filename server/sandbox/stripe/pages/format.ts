import { shop } from '#domain/shop.ts'

/** `54950, 'usd'` is '$549.50'. */
export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}

/** A moment as the shop's day, for example 'November 21, 2026'. */
export function formatDay(seconds: number): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: shop.timeZone }).format(
    seconds * 1000,
  )
}
