import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { CardRefund } from './refund-card.ts'
import type { CreditNoteToReport } from './report-credit-note.ts'
import type { PaymentToReport } from './report-payment.ts'
import type { Report } from './report.ts'

/**
 * Returns the changes that are due to be reported to Stripe. Returns at most one per invoice, because the changes of an
 * invoice must be reported in the order in which they happened.
 */
export async function listDueReports(database: Database): Promise<Report[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<Report>(
      await query(
        `select report.id, report.invoice_id as "invoiceId", report.kind, report.stripe_id as "stripeId", report.attempts,
           coalesce(report.first_attempt_at < now() - interval '23 hours' or report.problem = 'server_error', false) as "isSearched"
         from internal.stripe_reports report
         where report.state = 'due' and report.next_attempt_at <= now() and not exists (
           select from internal.stripe_reports earlier
           where earlier.invoice_id = report.invoice_id and earlier.state = 'due' and earlier.position < report.position)
         order by report.position limit 20`,
      ),
    ),
  )
}

/** Reads the payment that a report will send to Stripe. */
export async function readPaymentToReport(
  database: Database,
  reportId: string,
): Promise<PaymentToReport> {
  const [payment] = await database.transaction(asServer, async (query) =>
    rowsAs<PaymentToReport>(
      await query(
        `select payment.id as "paymentId",
           payment.amount_cents + coalesce((select sum(rounding.amount_cents) from public.payments rounding
             where rounding.original_id = payment.id and rounding.kind = 'cash_rounding' and rounding.credit_note_id is null
           ), 0)::integer as "amountCents",
           payment.currency, payment.method, extract(epoch from payment.paid_at)::integer as "paidAt",
           case when deposit.amount_cents = payment.amount_cents then deposit.payment_intent_id end as "paymentIntentId"
         from internal.stripe_reports report join public.payments payment on payment.id = report.payment_id
         left join public.payments deposit on deposit.id = payment.original_id
         where report.id = $1`,
        [reportId],
      ),
    ),
  )
  if (!payment) throw new Error('The database contains no payment for a report to Stripe')
  return payment
}

/** Reads the credit note that a report will send to Stripe, and the refunds of that credit note. */
export async function readCreditNoteToReport(
  database: Database,
  reportId: string,
): Promise<CreditNoteToReport> {
  return database.transaction(asServer, async (query) => {
    const [note] = await query(
      `select note.id, note.amount_cents, note.reason
       from internal.stripe_reports report join public.credit_notes note on note.id = report.credit_note_id where report.id = $1`,
      [reportId],
    )
    if (!note) throw new Error('The database contains no credit note for a report to Stripe')
    const refunds = await readRefunds(query, note.id)
    return {
      creditNoteId: note.id,
      amountCents: Number(note.amount_cents),
      reason: note.reason,
      refunds,
    }
  })
}

/**
 * Reads the refund that a report will send to Stripe: the refund of a deposit, or a failed refund that is retried to
 * the same card.
 */
export async function readRefundToReport(
  database: Database,
  reportId: string,
): Promise<CardRefund> {
  const [refund] = await database.transaction(asServer, async (query) =>
    rowsAs<CardRefund>(
      await query(
        `select refund.id as "paymentId", -refund.amount_cents as "amountCents",
           coalesce(original.payment_intent_id, deposit.payment_intent_id) as "paymentIntentId"
         from internal.stripe_reports report join public.payments refund on refund.id = report.payment_id
         join public.payments original on original.id = refund.original_id
         left join public.payments deposit on deposit.id = original.original_id where report.id = $1`,
        [reportId],
      ),
    ),
  )
  if (!refund) throw new Error('The database contains no refund for a report to Stripe')
  return refund
}

async function readRefunds(query: Query, creditNoteId: string) {
  return rowsAs<CreditNoteToReport['refunds'][number]>(
    await query(
      `select refund.id as "paymentId", refund.currency, refund.method = original.method as "isSameMethod",
         -(refund.amount_cents + coalesce((select sum(rounding.amount_cents) from public.payments rounding
           where rounding.original_id = original.id and rounding.credit_note_id = refund.credit_note_id
             and rounding.kind = 'cash_rounding'), 0)::integer) as "amountCents",
         coalesce(original.payment_intent_id, deposit.payment_intent_id) as "paymentIntentId",
         (select known.stripe_id from internal.stripe_reports known
          where known.payment_id = original.id and known.state = 'reported') as "paymentRecordId",
         extract(epoch from refund.paid_at)::integer as "refundedAt"
       from public.payments refund join public.payments original on original.id = refund.original_id
       left join public.payments deposit on deposit.id = original.original_id
       where refund.credit_note_id = $1 and refund.kind = 'refund'
         -- A refund that failed is given again by a later line.
         and not exists (select from public.payments reversal where reversal.original_id = refund.id)
       order by refund.recorded_at`,
      [creditNoteId],
    ),
  )
}
