import { maximumCents, parseCents } from '#domain/money/money.ts'

/** A line as typed or as sent: the amount in US dollars, for one piece (docs/product.md 7.1). */
export type InvoiceLineInput = {
  readonly description?: string | null | undefined
  readonly amount?: string | number | null | undefined
  readonly quantity?: string | number | null | undefined
}

/** A line that counts. `amountCents` is for one piece. */
export type InvoiceLine = { description: string; amountCents: number; quantity: number }

/**
 * The lines of an invoice: those with a description, an amount above 0 and a quantity above 0. Others are
 * silently dropped (docs/product.md 5.7).
 */
export function validInvoiceLines(lines: readonly InvoiceLineInput[]): InvoiceLine[] {
  return lines.flatMap((line) => {
    const description = (line.description ?? '').trim()
    const amountCents = parseCents(line.amount ?? '') ?? 0
    const quantity = quantityOf(line.quantity)
    const isValid = description !== '' && amountCents > 0 && quantity > 0
    return isValid ? [{ description, amountCents, quantity }] : []
  })
}

/** A typed 0 or less is no quantity; everything else becomes a whole number of at least 1. */
function quantityOf(input: string | number | null | undefined): number {
  const hasInput = input !== undefined && input !== null && String(input).trim() !== ''
  return hasInput && Number(input) <= 0 ? 0 : coerceQuantity(input)
}

/** A whole number of at least 1, whatever was typed: '2.9' → 2, '' → 1, '-3' → 1 (docs/product.md 5.7). */
export function coerceQuantity(input: string | number | null | undefined): number {
  return Math.min(atLeastOne(input) ?? 1, maximumCents)
}

export const defaultDueDays = 7

/** A whole number of at least 1; 7 when it is not a number (docs/product.md 5.7). */
export function coerceDueDays(input: string | number | null | undefined): number {
  return atLeastOne(input) ?? defaultDueDays
}

function atLeastOne(input: string | number | null | undefined): number | undefined {
  const value = Number.parseFloat(String(input ?? ''))
  return Number.isFinite(value) ? Math.max(1, Math.trunc(value)) : undefined
}

/** What one line costs, in cents. */
function lineTotalCents({ amountCents, quantity }: InvoiceLine): number {
  return amountCents * quantity
}

/** What all lines cost together, in cents. */
export function invoiceTotalCents(lines: readonly InvoiceLine[]): number {
  return lines.reduce((total, line) => total + lineTotalCents(line), 0)
}
