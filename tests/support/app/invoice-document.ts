import { defaultShop } from '#domain/shop/default-shop.ts'
import type {
  InvoiceDocument,
  InvoiceDocumentLine,
} from '#server/features/invoices/document/invoice-document.ts'

/** Returns an invoice line with a quantity and a unit price. */
export const invoiceLine = (
  description: string,
  unitPriceCents = 1999,
  quantity = 1,
): InvoiceDocumentLine => ({
  description,
  quantity,
  unitPriceCents,
  amountCents: unitPriceCents * quantity,
})

/** Returns an invoice document with the given lines, whose total is the sum of the lines; unpaid by default. */
export function invoiceDocument(change: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const lines = change.lines ?? [invoiceLine('Front brake pads and rotors')]
  const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return {
    shop: { ...defaultShop, registrationNumber: '', epaNumber: '', conditions: '' },
    number: 'TT-0148',
    status: 'open',
    issuedAt: Date.UTC(2026, 10, 18, 20) / 1000,
    dueAt: Date.UTC(2026, 10, 25, 20) / 1000,
    paidAt: null,
    currency: 'usd',
    customer: { name: 'Dana Whitfield', email: 'dana@example.com', phone: '(650) 555-0199' },
    lines,
    totalCents,
    paidCents: 0,
    dueCents: totalCents,
    payments: [] as const,
    memo: '',
    ...change,
  }
}
