/**
 * A cash amount in cents, rounded to the nearest five cents: 1 and 2 down, 3 and 4 up. The database applies the same
 * rounding.
 */
const roundCash = (cents: number) => Math.floor((cents + 2) / 5) * 5

type CashPayment = {
  readonly amountCents: number
  readonly balanceCents: number
  /** Whether the shop rounds cash payments to five cents (docs/product.md 17.3). */
  readonly rounds: boolean
}

/** The cents that staff collect in cash: rounded when the shop rounds cash and the payment settles the balance. */
export function cashDueCents({ amountCents, balanceCents, rounds }: CashPayment): number {
  const rounded = roundCash(amountCents)
  return rounds && amountCents === balanceCents && rounded > 0 ? rounded : amountCents
}

/**
 * The three amounts in cents that a customer is likely to hand over for a due amount: the next multiple of $5, then of
 * $20, then of $100, each above the previous amount. $498.57 → $500, $520, $600.
 */
export function quickSums(dueCents: number): number[] {
  const sums: number[] = []
  for (const step of [500, 2000, 10_000]) {
    const above = sums.at(-1) ?? dueCents
    sums.push((Math.floor(above / step) + 1) * step)
  }
  return sums
}
