import type { WireInvoice, WireInvoiceLine, WireTax } from '../objects/wire.ts'

const scale = 10n ** 12n

/**
 * Multiplies a unit price (cents as decimal text) by a quantity. Returns whole cents, rounded half away from zero.
 * The calculation uses integers, so the result has no floating-point error.
 */
export function lineAmount(unitAmountDecimal: string, quantity: number): number {
  const [whole = '0', fraction = ''] = unitAmountDecimal.replace('-', '').split('.')
  const units = BigInt(whole) * scale + BigInt(fraction.padEnd(12, '0'))
  const cents = Number((units * BigInt(quantity) * 2n + scale) / (2n * scale))
  return unitAmountDecimal.startsWith('-') && cents !== 0 ? -cents : cents
}

/**
 * Returns the unpaid invoice with these lines, and with the totals that are calculated from the lines and their
 * taxes.
 */
export function withLines(invoice: WireInvoice, lines: WireInvoiceLine[]): WireInvoice {
  const subtotal = sumOf(lines.map((line) => line.amount))
  const taxes = addTaxes(lines)
  const [added, included] = ['exclusive', 'inclusive'].map((behavior) =>
    sumOf(taxes.filter((tax) => tax.tax_behavior === behavior).map((tax) => tax.amount)),
  ) as [number, number]
  const total = subtotal + added
  const due = Math.max(0, total + invoice.starting_balance)
  return {
    ...invoice,
    lines: { ...invoice.lines, data: lines },
    subtotal,
    subtotal_excluding_tax: subtotal - included,
    total,
    total_excluding_tax: subtotal - included,
    total_taxes: taxes,
    amount_due: due,
    amount_remaining: due,
  }
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/** Adds up the taxes of all lines; the result has one entry for each tax rate. */
function addTaxes(lines: readonly WireInvoiceLine[]): WireTax[] {
  const taxes = lines.flatMap((line) => line.taxes ?? [])
  const alike = Map.groupBy(taxes, (tax) =>
    JSON.stringify({ ...tax, amount: 0, taxable_amount: 0 }),
  )
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const taxable = group.map((tax) => tax.taxable_amount ?? 0)
    return [
      { ...first, amount: sumOf(group.map((tax) => tax.amount)), taxable_amount: sumOf(taxable) },
    ]
  })
}

/** Returns the invoice after a further payment of `cents`. The part that exceeds the total due counts as overpaid. */
export function withPayment(invoice: WireInvoice, cents: number): WireInvoice {
  const paid = invoice.amount_paid + cents
  return {
    ...invoice,
    amount_paid: paid,
    amount_remaining: Math.max(0, invoice.amount_due - paid),
    amount_overpaid: Math.max(0, paid - invoice.amount_due),
  }
}
