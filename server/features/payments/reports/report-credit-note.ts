import type Stripe from 'stripe'
import { describeStripeError } from '../stripe.ts'
import { refundCard } from './refund-card.ts'
import { type InvoiceReport, keyOf } from './report.ts'

/** A credit note to report to Stripe, with its refunds. */
export type CreditNoteToReport = {
  readonly creditNoteId: string
  readonly amountCents: number
  readonly reason: string
  readonly refunds: readonly RefundToReport[]
}

/** A refund to report to Stripe. */
type RefundToReport = {
  readonly paymentId: string
  /** The exact amount of the refund, before cash rounding. */
  readonly amountCents: number
  readonly currency: string
  /** Whether the refund uses the method of the refunded payment. */
  readonly isSameMethod: boolean
  /** The Stripe id of the online payment that is refunded; null if the payment was taken at the counter. */
  readonly paymentIntentId: string | null
  /**
   * The Stripe id of the payment that the shop attached to the invoice: a payment record, or the payment itself for a
   * deposit that was paid online. Null for an online payment of the invoice, and if the payment was not reported to
   * Stripe.
   */
  readonly paymentRecordId: string | null
  /** Seconds since 1970. */
  readonly refundedAt: number
}

/**
 * Creates a credit note at Stripe, after making or reporting its refunds there. Returns the Stripe id of the credit
 * note.
 */
export async function reportCreditNote(
  stripe: Stripe,
  report: InvoiceReport,
  note: CreditNoteToReport,
): Promise<string> {
  const existing = report.isSearched ? await findCreditNote(stripe, report, note) : undefined
  if (existing !== undefined) return existing
  const linked: Stripe.CreditNoteCreateParams.Refund[] = []
  let outOfBandCents = 0
  for (const refund of note.refunds) {
    const link = await refundAtStripe(stripe, report, refund)
    if (link) linked.push(link)
    else outOfBandCents += refund.amountCents
  }
  const created = await stripe.creditNotes.create(
    {
      invoice: report.invoiceId,
      amount: note.amountCents,
      email_type: 'none',
      memo: note.reason,
      metadata: { credit_note_id: note.creditNoteId },
      ...(linked.length > 0 && { refunds: linked }),
      ...(outOfBandCents > 0 && { out_of_band_amount: outOfBandCents }),
    },
    { idempotencyKey: keyOf('credit-note', note.creditNoteId, report) },
  )
  return created.id
}

/**
 * Refunds money to a card, or reports a refund at the counter to Stripe. Returns undefined if Stripe has no payment to
 * refund; the credit note then records the refund as a refund outside Stripe.
 */
async function refundAtStripe(
  stripe: Stripe,
  report: InvoiceReport,
  refund: RefundToReport,
): Promise<Stripe.CreditNoteCreateParams.Refund | undefined> {
  const { paymentId, amountCents, paymentIntentId, paymentRecordId } = refund
  if (!refund.isSameMethod) return undefined
  if (paymentIntentId !== null) {
    const refundId = await refundCard(stripe, report, refund)
    // If the deposit was larger than the invoice, the shop attached a payment record to the invoice instead of the
    // deposit's payment. The credit note then cannot name the card refund.
    if (paymentRecordId !== null && paymentRecordId !== paymentIntentId) return undefined
    return { type: 'refund', refund: refundId, amount_refunded: amountCents }
  }
  if (paymentRecordId === null) return undefined
  await reportRefund(stripe, report, refund, paymentRecordId)
  return {
    type: 'payment_record_refund',
    payment_record_refund: { payment_record: paymentRecordId, refund_group: paymentId },
    amount_refunded: amountCents,
  }
}

/**
 * Reports a refund at the counter to Stripe. The reference is the id of the ledger entry; Stripe accepts each reference
 * only once.
 */
async function reportRefund(
  stripe: Stripe,
  report: InvoiceReport,
  { paymentId, amountCents, currency, refundedAt }: RefundToReport,
  paymentRecordId: string,
): Promise<void> {
  try {
    await stripe.paymentRecords.reportRefund(
      paymentRecordId,
      {
        amount: { value: amountCents, currency },
        initiated_at: refundedAt,
        outcome: 'refunded',
        refunded: { refunded_at: refundedAt },
        processor_details: { type: 'custom', custom: { refund_reference: paymentId } },
        metadata: { payment_id: paymentId },
      },
      { idempotencyKey: keyOf('refund', paymentId, report) },
    )
  } catch (error) {
    const { param } = describeStripeError(error)
    const isReported = typeof param === 'string' && param.includes('refund_reference')
    if (!report.isSearched || !isReported) throw error
  }
}

async function findCreditNote(
  stripe: Stripe,
  { invoiceId }: InvoiceReport,
  { creditNoteId }: CreditNoteToReport,
): Promise<string | undefined> {
  for await (const note of stripe.creditNotes.list({ invoice: invoiceId, limit: 100 })) {
    if (note.metadata?.['credit_note_id'] === creditNoteId) return note.id
  }
  return undefined
}
