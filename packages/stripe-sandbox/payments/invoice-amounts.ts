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
 * Returns the unpaid invoice with the given lines, and with the totals that are calculated from the lines and their
 * taxes.
 */
export function withLines(invoice: WireInvoice, lines: WireInvoiceLine[]): WireInvoice {
  const totals = totalsOf(lines)
  const due = Math.max(0, totals.total + invoice.starting_balance)
  return {
    ...invoice,
    ...totals,
    lines: { ...invoice.lines, data: lines },
    amount_due: due,
    amount_remaining: due,
  }
}

type Taxed = { readonly amount: number; readonly taxes: readonly WireTax[] | null }

/** Returns the totals of the given lines, which belong to one invoice or one credit note. */
export function totalsOf(lines: readonly Taxed[]) {
  const subtotal = sumOf(lines.map((line) => line.amount))
  const taxes = addTaxes(lines)
  const [added, included] = ['exclusive', 'inclusive'].map((behavior) =>
    sumOf(taxes.filter((tax) => tax.tax_behavior === behavior).map((tax) => tax.amount)),
  ) as [number, number]
  return {
    subtotal,
    subtotal_excluding_tax: subtotal - included,
    total: subtotal + added,
    total_excluding_tax: subtotal - included,
    total_taxes: taxes,
  }
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/** Adds up the taxes of all lines; the result has one entry for each tax rate. */
function addTaxes(lines: readonly Taxed[]): WireTax[] {
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

/**
 * Returns the invoice after a further payment of `cents`. The part of the payments that exceeds the amount due counts
 * as overpaid.
 */
export function withPayment(invoice: WireInvoice, cents: number): WireInvoice {
  const paid = invoice.amount_paid + cents
  return {
    ...invoice,
    amount_paid: paid,
    amount_remaining: Math.max(0, invoice.amount_due - paid),
    amount_overpaid: Math.max(0, paid - invoice.amount_due),
  }
}

/**
 * Returns the invoice after a credit note. `before` is the credited part of the unpaid amount, which lowers the amount
 * due and the remaining amount. `after` is the credited part of the paid amount. A negative `before` reverses a voided
 * credit note.
 */
export function withCreditNote(invoice: WireInvoice, before: number, after: number): WireInvoice {
  return {
    ...invoice,
    amount_due: invoice.amount_due - before,
    amount_remaining: invoice.amount_remaining - before,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount + after,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + before,
  }
}
