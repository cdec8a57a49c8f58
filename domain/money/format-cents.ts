/**
 * Cents as a price: 123450 → '$1,234.50'. Another currency is shown by its code ('EUR 12.00', Intl's en-US format).
 * Minor units are divided by 100 for every currency (docs/product.md 9.5).
 */
export function formatCents(cents: number, currency = 'usd'): string {
  const style = {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  } as const
  // `cents / 100` is the floating-point number nearest to the exact amount, so rounding to two digits restores the
  // exact amount.
  return new Intl.NumberFormat('en-US', style).format(cents / 100)
}
