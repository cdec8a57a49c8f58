import type Stripe from 'stripe'
import { linkInvoice } from '#server/features/invoices/records/link-invoice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { Database } from '@local/postgres'
import type { PaymentContext } from '../payment-context.ts'
import { describeStripeError, stripeFailure } from '../stripe.ts'
import {
  listDueReports,
  readCreditNoteToReport,
  readPaymentToReport,
  readRefundToReport,
} from './read-reports.ts'
import { refundCard } from './refund-card.ts'
import { reportCreditNote } from './report-credit-note.ts'
import { reportPayment } from './report-payment.ts'
import { type InvoiceReport, keyOf, type Report } from './report.ts'

/** The maximum delay in seconds between two attempts to report a change to Stripe. */
const longestPauseSeconds = 3600

/**
 * The maximum number of rounds in one run of the job that reports changes to Stripe. Each round reports at most one
 * change per invoice.
 */
const maxRounds = 10

/**
 * Reports the shop's payments and corrections to Stripe. Returns the number of reported changes. Passes a failure to
 * `onFailure`, and retries the report later. A failure does not change the shop's ledger.
 */
export async function reportToStripe(
  context: PaymentContext,
  onFailure: (reportId: string, error: unknown) => void,
): Promise<number> {
  let reported = 0
  for (let round = 0; round < maxRounds; round += 1) {
    const due = await listDueReports(context.database)
    if (due.length === 0) break
    for (const report of due) {
      try {
        await startAttempt(context.database, report)
        await send(context, report)
        await finish(context, report)
        reported += 1
      } catch (error) {
        await recordFailure(context.database, report, error)
        onFailure(report.id, error)
      }
    }
  }
  return reported
}

async function send({ stripe, database }: PaymentContext, report: Report): Promise<void> {
  const keepId = (stripeId: string) => storeStripeId(database, report, stripeId)
  const { kind, invoiceId } = report
  if (kind === 'refund' || kind === 'deposit_refund') {
    return keepId(await refundCard(stripe, report, await readRefundToReport(database, report.id)))
  }
  if (invoiceId === null)
    throw new Error('A report to Stripe names no invoice, although it is not about a refund')
  return sendOfInvoice(stripe, database, { ...report, kind, invoiceId }, keepId)
}

async function sendOfInvoice(
  stripe: Stripe,
  database: Database,
  report: InvoiceReport & { readonly kind: Exclude<Report['kind'], 'refund' | 'deposit_refund'> },
  keepId: (stripeId: string) => Promise<void>,
): Promise<void> {
  switch (report.kind) {
    case 'payment':
      return reportPayment(stripe, report, await readPaymentToReport(database, report.id), keepId)
    case 'credit_note': {
      const note = await readCreditNoteToReport(database, report.id)
      return keepId(await reportCreditNote(stripe, report, note))
    }
    case 'void':
      return reachStatus(stripe, report, 'void', () =>
        stripe.invoices.voidInvoice(report.invoiceId, {}, once('void', report)),
      )
    case 'write_off':
      return reachStatus(stripe, report, 'uncollectible', () =>
        stripe.invoices.markUncollectible(report.invoiceId, {}, once('write-off', report)),
      )
  }
}

/**
 * Runs `change`, which sets the status of an invoice at Stripe. Ignores a refusal if the invoice already has the status
 * `status`, because an earlier attempt probably set that status.
 */
async function reachStatus(
  stripe: Stripe,
  { invoiceId }: InvoiceReport,
  status: Stripe.Invoice.Status,
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (stripeFailure(error) !== 'refused') throw error
    if ((await stripe.invoices.retrieve(invoiceId)).status !== status) throw error
  }
}

const once = (step: string, report: Report) => ({
  idempotencyKey: keyOf(step, report.id, report),
})

async function startAttempt(database: Database, { id }: Report): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.stripe_reports
       set attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, now()) where id = $1`,
      [id],
    ),
  )
}

async function storeStripeId(database: Database, { id }: Report, stripeId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('update internal.stripe_reports set stripe_id = $2 where id = $1', [id, stripeId]),
  )
}

/**
 * Marks the report as sent. If the report is about an invoice, the same transaction records the status that the invoice
 * now has at Stripe.
 */
async function finish({ stripe, database }: PaymentContext, report: Report): Promise<void> {
  const { invoiceId } = report
  const invoice = invoiceId === null ? undefined : await stripe.invoices.retrieve(invoiceId)
  await database.transaction(asServer, async (query) => {
    if (invoice) await linkInvoice(query, invoice)
    await query(
      `update internal.stripe_reports set state = 'reported', reported_at = now(), problem = null where id = $1`,
      [report.id],
    )
  })
}

/**
 * Records a failed attempt to send a report. A refusal by Stripe is final, because a retry would be refused again.
 * After an outage, the job retries the report with increasing delays.
 */
async function recordFailure(database: Database, report: Report, error: unknown): Promise<void> {
  const failure = stripeFailure(error)
  const isFinal = failure === 'refused' || failure === 'missing'
  const { code, statusCode } = describeStripeError(error)
  const isServerError = typeof statusCode === 'number' && statusCode >= 500
  const known = typeof code === 'string' ? code : (failure ?? 'failed')
  const problem = isServerError ? 'server_error' : known
  const pauseSeconds = Math.min(10 * 2 ** report.attempts, longestPauseSeconds)
  await database.transaction(asServer, (query) =>
    query(
      `update internal.stripe_reports
       set state = case when $2::boolean then 'refused' else state end, problem = $3,
         next_attempt_at = now() + $4::integer * interval '1 second' where id = $1`,
      [report.id, isFinal, problem.slice(0, 200), pauseSeconds],
    ),
  )
}
