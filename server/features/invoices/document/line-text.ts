/** A line of an invoice or an estimate with every amount as text. */
export type LineText = {
  readonly description: string
  readonly quantity: string
  /** The formatted unit price; empty when the price is not a whole number of cents. */
  readonly unitPrice: string
  readonly amount: string
}

/** A formatted amount with its label. */
export type LabeledAmount = { readonly label: string; readonly amount: string }

/** The status on an invoice: 'Paid November 20, 2026', 'Void' or 'Draft'. */
export type Stamp = { readonly text: string; readonly isPaid: boolean }

/** The column headings of the table with the invoice lines. */
export const lineHeadings = ['Description', 'Qty', 'Unit price', 'Amount'] as const

/** Removes invisible characters and characters that reverse the direction of a text; keeps line breaks. */
export function visible(text: string): string {
  return text
    .replaceAll(/\r\n|[\r\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
}
