import type { WireInvoice, WireInvoiceLine } from '../objects/wire.ts'

const scale = 10n ** 12n

/**
 * Unit price (decimal cents as text) times quantity in whole cents, rounded half away from zero.
 * Exact: no floating point on the way.
 */
export function lineAmount(unitAmountDecimal: string, quantity: number): number {
  const [whole = '0', fraction = ''] = unitAmountDecimal.replace('-', '').split('.')
  const units = BigInt(whole) * scale + BigInt(fraction.padEnd(12, '0'))
  const cents = Number((units * BigInt(quantity) * 2n + scale) / (2n * scale))
  return unitAmountDecimal.startsWith('-') && cents !== 0 ? -cents : cents
}

/** The invoice with totals that fit its lines, before anything was paid. */
export function withLines(invoice: WireInvoice, lines: WireInvoiceLine[]): WireInvoice {
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const due = Math.max(0, total + invoice.starting_balance)
  return {
    ...invoice,
    lines: { ...invoice.lines, data: lines },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    amount_due: due,
    amount_remaining: due,
  }
}

/** The invoice after `cents` more were received for it; what is too much counts as overpaid. */
export function withPayment(invoice: WireInvoice, cents: number): WireInvoice {
  const paid = invoice.amount_paid + cents
  return {
    ...invoice,
    amount_paid: paid,
    amount_remaining: Math.max(0, invoice.amount_due - paid),
    amount_overpaid: Math.max(0, paid - invoice.amount_due),
  }
}
