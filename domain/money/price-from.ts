import { formatCents } from './format-cents.ts'

/**
 * The lowest price of a service as its card shows it: 8900 cents → 'from $89', 8950 cents → 'from $89.50'
 * (docs/product.md 11.5).
 */
export function priceFrom(cents: number): string {
  return `from ${formatCents(cents).replace(/\.00$/, '')}`
}
