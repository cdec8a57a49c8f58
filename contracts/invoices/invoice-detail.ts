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
  /** Why a line was reversed; null for other lines, and for reversals of before the cause was recorded. */
  cause: z.nullable(
    z.enum(['recorded_wrongly', 'returned_check', 'lost_dispute', 'failed_refund']),
  ),
  /** What a failed refund did not return, so that it can be given again; 0 for other lines. */
  retryCents: z.int(),
  /**
   * Whether Stripe knows the line. due: not yet. refused: Stripe does not accept it. reversed: it was reversed before
   * Stripe was notified. corrected: Stripe keeps the line that this one corrects. Null for an online payment.
   */
  reportState: z.nullable(z.enum(['due', 'reported', 'refused', 'reversed', 'corrected'])),
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

/** A job of the estimate, or a line of the form, that can be refunded on its own. */
const invoicePart = z.object({
  key: z.string(),
  title: z.string(),
  /** What is not credited yet, with its tax. */
  leftCents: z.int(),
  leftTaxCents: z.int(),
})
export type InvoicePart = z.output<typeof invoicePart>

/** What a refund would return and credit: the result of the database function `preview_refund`. */
export const refundPreview = z.object({
  refundCents: z.int(),
  creditCents: z.int(),
  taxCents: z.int(),
  /** How the sum is divided between jobs or lines; empty when they are not known. */
  parts: z.array(z.object({ title: z.string(), amountCents: z.int(), taxCents: z.int() })),
})
export type RefundPreview = z.output<typeof refundPreview>

/** The result of the database function `read_invoice`: an invoice with its ledger and history, oldest first. */
export const invoiceDetail = z.extend(listedInvoice, {
  /** The estimate that the invoice bills; null for the form. */
  estimateId: z.nullable(z.uuid()),
  estimateNumber: z.nullable(z.string()),
  ledger: z.array(ledgerLine),
  creditNotes: z.array(creditNote),
  events: z.array(invoiceEvent),
  /** Empty when the parts of the invoice are not known. */
  parts: z.array(invoicePart),
  /** The invoices over sums that Stripe counts as paid on this one; `invoiceId` is null until one was made. */
  replacements: z.array(
    z.object({
      invoiceId: z.nullable(z.string()),
      number: z.nullable(z.string()),
      amountCents: z.int(),
    }),
  ),
  /** The invoice that this one replaces; null for another invoice. */
  replaces: z.nullable(z.object({ invoiceId: z.string(), number: z.nullable(z.string()) })),
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
