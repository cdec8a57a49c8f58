/** The bills and coins of US dollars, in cents, in the order in which staff count a drawer. */
export const denominations = [10_000, 5000, 2000, 1000, 500, 200, 100, 50, 25, 10, 5, 1] as const

/** The number of bills and coins of each denomination in cents: `{ 2000: 9 }` means nine $20 bills. */
export type CashCount = Readonly<Record<string, number>>

/** The name of a denomination: '$20' or '25¢'. */
export function denominationName(cents: number): string {
  return cents < 100 ? `${cents}¢` : `$${cents / 100}`
}

/** Parses the typed counts and omits empty, invalid and zero counts. */
export function parseCashCount(typed: Readonly<Record<string, string>>): CashCount {
  const counted = denominations
    .map((cents) => [String(cents), Number(typed[cents] ?? '')] as const)
    .filter(([, count]) => Number.isInteger(count) && count > 0)
  return Object.fromEntries(counted)
}

/** The sum of a count in cents. */
export function sumCashCount(count: CashCount): number {
  return denominations.reduce<number>((sum, cents) => sum + cents * (count[cents] ?? 0), 0)
}

/** The difference between a counted and the expected amount, as text: 'matches', '$4.00 short' or '$4.00 over'. */
export function differenceText(cents: number, format: (cents: number) => string): string {
  if (cents === 0) return 'matches'
  return `${format(Math.abs(cents))} ${cents < 0 ? 'short' : 'over'}`
}
