import * as z from 'zod/mini'
import { listedInvoice } from './invoice-list.ts'

const ledgerLine = z.object({
  id: z.uuid(),
  kind: z.enum([
    'payment',
    'refund',
    'reversal',
    'customer_credit',
    'cash_rounding',
    'applied_deposit',
  ]),
  method: z.enum(['card_terminal', 'cash', 'check', 'other', 'card_online']),
  originalId: z.nullable(z.uuid()),
  amountCents: z.int(),
  /** What a payment has left to return; 0 for other lines. */
  leftCents: z.int(),
  reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** The staff account; null for a payment that Stripe reported. */
  recordedByName: z.nullable(z.string()),
  paidAt: z.string(),
  /** Whether Stripe knows the line: due (not yet), reported, refused; null for an online payment. */
  reportState: z.nullable(z.enum(['due', 'reported', 'refused'])),
})

const creditNote = z.object({
  id: z.uuid(),
  kind: z.enum(['price_correction', 'refund', 'cancellation']),
  amountCents: z.int(),
  taxCents: z.int(),
  reason: z.string(),
  createdByName: z.string(),
  createdAt: z.string(),
})

const invoiceEvent = z.object({
  kind: z.enum(['voided', 'written_off']),
  reason: z.string(),
  changedByName: z.string(),
  happenedAt: z.string(),
})

/** The result of the database function `read_invoice`: an invoice with its ledger and history, oldest first. */
export const invoiceDetail = z.extend(listedInvoice, {
  /** The estimate that the invoice bills; null for the form. */
  estimateId: z.nullable(z.uuid()),
  estimateNumber: z.nullable(z.string()),
  ledger: z.array(ledgerLine),
  creditNotes: z.array(creditNote),
  events: z.array(invoiceEvent),
  /** Which actions are possible now. */
  can: z.object({
    takePayment: z.boolean(),
    correctPrice: z.boolean(),
    refund: z.boolean(),
    void: z.boolean(),
    cancel: z.boolean(),
    writeOff: z.boolean(),
  }),
})
export type InvoiceDetail = z.output<typeof invoiceDetail>
