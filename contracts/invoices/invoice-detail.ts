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
  /** The part of a payment, in cents, that the shop can still refund; 0 for other ledger lines. */
  leftCents: z.int(),
  reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** The name of the staff account that recorded the ledger line; null for a payment that Stripe reported. */
  recordedByName: z.nullable(z.string()),
  paidAt: z.string(),
  /** The reason why a ledger line was reversed; null for other lines and for old reversals without a recorded cause. */
  cause: z.nullable(
    z.enum(['recorded_wrongly', 'returned_check', 'lost_dispute', 'failed_refund']),
  ),
  /** The amount, in cents, that a failed refund did not return and staff can refund again; 0 for other ledger lines. */
  retryCents: z.int(),
  /**
   * Whether the shop has reported the ledger line to Stripe. due: not reported yet. refused: Stripe does not accept it.
   * reversed: a reversal was recorded before the report to Stripe. corrected: Stripe retains an earlier line, which
   * this line corrects. Null for an online payment.
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

/** A job of an estimate, or a line of an invoice without estimate, that staff can refund separately. */
const invoicePart = z.object({
  key: z.string(),
  title: z.string(),
  /** The amount of the job or line in cents, including tax, for which the shop has created no credit note yet. */
  leftCents: z.int(),
  leftTaxCents: z.int(),
})
export type InvoicePart = z.output<typeof invoicePart>

/** The amounts that a refund would return and credit: the result of the database function `preview_refund`. */
export const refundPreview = z.object({
  refundCents: z.int(),
  creditCents: z.int(),
  taxCents: z.int(),
  /**
   * The refund, divided between the jobs or lines of the invoice; empty when the shop does not know the jobs or lines
   * of the invoice.
   */
  parts: z.array(z.object({ title: z.string(), amountCents: z.int(), taxCents: z.int() })),
})
export type RefundPreview = z.output<typeof refundPreview>

/**
 * The result of the database function `read_invoice`: an invoice with its ledger lines and its history entries, each
 * list oldest first.
 */
export const invoiceDetail = z.extend(listedInvoice, {
  /** The estimate that the invoice bills; null for an invoice that staff wrote in the form. */
  estimateId: z.nullable(z.uuid()),
  estimateNumber: z.nullable(z.string()),
  ledger: z.array(ledgerLine),
  creditNotes: z.array(creditNote),
  events: z.array(invoiceEvent),
  /** The jobs or lines of the invoice; empty when the shop does not know the jobs or lines. */
  parts: z.array(invoicePart),
  /**
   * The replacement invoices for amounts that Stripe counts as paid on this invoice although the customer owes them;
   * `invoiceId` is null until the shop has created the invoice.
   */
  replacements: z.array(
    z.object({
      invoiceId: z.nullable(z.string()),
      number: z.nullable(z.string()),
      amountCents: z.int(),
    }),
  ),
  /** The invoice that this invoice replaces; null when this invoice is not a replacement. */
  replaces: z.nullable(z.object({ invoiceId: z.string(), number: z.nullable(z.string()) })),
  /** The actions that staff can take on the invoice in its current state. */
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
