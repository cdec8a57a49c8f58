import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatCents } from '#domain/money/format-cents.ts'

export type HistoryEntry = {
  readonly at: string
  readonly text: string
  /** The username of the staff account that made the change; null when no staff account is recorded. */
  readonly by: string | null
}

const eventNames = { voided: 'Invoice voided', written_off: 'Written off' } as const

/**
 * Returns the changes of an invoice, newest first. Payments and refunds are left out, because the ledger lists them.
 */
export function invoiceHistory(invoice: InvoiceDetail): readonly HistoryEntry[] {
  const made = {
    at: invoice.createdAt,
    text: invoice.estimateNumber
      ? `Invoice created from Estimate ${invoice.estimateNumber}`
      : 'Invoice made',
    by: null,
  }
  const events = invoice.events.map(({ kind, reason, changedByName, happenedAt }) => ({
    at: happenedAt,
    text: `${eventNames[kind]}: “${reason}”`,
    by: changedByName,
  }))
  const notes = invoice.creditNotes.map((note) => ({
    at: note.createdAt,
    text: creditNoteText(note, invoice.currency),
    by: note.createdByName,
  }))
  return [made, ...events, ...notes].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

type CreditNote = InvoiceDetail['creditNotes'][number]

function creditNoteText({ kind, amountCents, reason }: CreditNote, currency: string): string {
  const amount = formatCents(amountCents, currency)
  switch (kind) {
    case 'price_correction':
      return `Price lowered by ${amount}: “${reason}”`
    case 'refund':
      return `Refund of ${amount}: “${reason}”`
    case 'cancellation':
      return `Invoice cancelled: “${reason}”`
  }
}

/** The reason of a credit note, in words. */
export const creditNoteNames: Readonly<Record<CreditNote['kind'], string>> = {
  price_correction: 'Price correction',
  refund: 'Refund',
  cancellation: 'Cancellation',
}
