import { formatCents } from './format-cents.ts'

/**
 * 8900 → 'from $89', 8950 → 'from $89.50': the lowest price of a service, as its card shows it (docs/product.md 11.5).
 */
export function priceFrom(cents: number): string {
  return `from ${formatCents(cents).replace(/\.00$/, '')}`
}
