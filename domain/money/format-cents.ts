/**
 * 123450 → '$1,234.50'; another currency by its code ('EUR 12.00', Intl's en-US format). Minor units are divided by 100
 * for every currency (docs/product.md 9.5).
 */
export function formatCents(cents: number, currency = 'usd'): string {
  const style = {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  } as const
  // The quotient is the double nearest to the exact decimal, so rounding to two digits restores that decimal.
  return new Intl.NumberFormat('en-US', style).format(cents / 100)
}
