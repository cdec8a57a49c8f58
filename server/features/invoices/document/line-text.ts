/** A line of an invoice or an estimate as it reads, every figure in its final form. */
export type LineText = {
  readonly description: string
  readonly quantity: string
  /** Empty when one piece costs no whole cents. */
  readonly unitPrice: string
  readonly amount: string
}

/** A sum and what it is called. */
export type LabeledAmount = { readonly label: string; readonly amount: string }

/** 'Paid November 20, 2026', 'Void', 'Draft'. */
export type Stamp = { readonly text: string; readonly isPaid: boolean }

/** The heads of the table of lines. */
export const lineHeadings = ['Description', 'Qty', 'Unit price', 'Amount'] as const

/** Text as it was meant, without what turns its direction around or cannot be seen; line breaks stay. */
export function visible(text: string): string {
  return text
    .replaceAll(/\r\n|[\r\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
}
