import { maximumCents, parseCents } from '#domain/money/money.ts'

/**
 * A line of a new invoice as entered in the form or sent to the API: `amount` is the price of one piece in US dollars
 * (docs/product.md 7.1).
 */
export type InvoiceLineInput = {
  readonly description?: string | null | undefined
  readonly amount?: string | number | null | undefined
  readonly quantity?: string | number | null | undefined
}

/** A validated line of an invoice. `amountCents` is the price of one piece. */
export type InvoiceLine = { description: string; amountCents: number; quantity: number }

/**
 * Returns the valid lines, which have a description, an amount above 0 and a quantity above 0. Drops other lines
 * without an error (docs/product.md 5.7).
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

/**
 * The quantity of a line: 0 for an input of 0 or less, which makes the line invalid; otherwise a whole number of at
 * least 1.
 */
function quantityOf(input: string | number | null | undefined): number {
  const hasInput = input !== undefined && input !== null && String(input).trim() !== ''
  return hasInput && Number(input) <= 0 ? 0 : coerceQuantity(input)
}

/** Converts any input to a whole quantity of at least 1: '2.9' → 2, '' → 1, '-3' → 1 (docs/product.md 5.7). */
export function coerceQuantity(input: string | number | null | undefined): number {
  return Math.min(atLeastOne(input) ?? 1, maximumCents)
}

export const defaultDueDays = 7

/**
 * Converts any input to a whole number of days of at least 1; 7 when the input is not a number (docs/product.md 5.7).
 */
export function coerceDueDays(input: string | number | null | undefined): number {
  return atLeastOne(input) ?? defaultDueDays
}

function atLeastOne(input: string | number | null | undefined): number | undefined {
  const value = Number.parseFloat(String(input ?? ''))
  return Number.isFinite(value) ? Math.max(1, Math.trunc(value)) : undefined
}

/** The price of one line, in cents. */
function lineTotalCents({ amountCents, quantity }: InvoiceLine): number {
  return amountCents * quantity
}

/** The price of all lines together, in cents. */
export function invoiceTotalCents(lines: readonly InvoiceLine[]): number {
  return lines.reduce((total, line) => total + lineTotalCents(line), 0)
}
