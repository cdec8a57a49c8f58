import type Stripe from 'stripe'
import { linkInvoice } from '#server/features/invoices/records/link-invoice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { type Database, rowsAs } from '@local/postgres'
import type { PaymentContext } from '../payment-context.ts'
import { describeStripeError, idOf, stripeFailure } from '../stripe.ts'

/** A payment of the counter that Stripe has to know. */
type Report = {
  readonly paymentId: string
  readonly invoiceId: string
  /** The exact amount, without cash rounding. */
  readonly amountCents: number
  readonly currency: string
  readonly method: string
  /** Seconds since 1970. */
  readonly paidAt: number
  /** The payment record at Stripe; null until Stripe has created it. */
  readonly recordId: string | null
  readonly attempts: number
  /** Whether the idempotency key may be forgotten (24 hours) or returns a stored failure: then Stripe is searched first. */
  readonly isSearched: boolean
}

const methodNames: Readonly<Record<string, string>> = {
  card_terminal: 'Card terminal',
  cash: 'Cash',
  check: 'Check',
  other: 'Other',
}

/** The longest pause between two attempts. */
const longestPauseSeconds = 3600

/**
 * Reports payments of the counter to Stripe: a payment record with the id of the ledger line, attached to its invoice.
 * Returns the number of reported payments. A failure is reported to `onFailure`, and retried later; the payment counts in
 * the shop's ledger all the time.
 */
export async function reportPayments(
  context: PaymentContext,
  onFailure: (paymentId: string, error: unknown) => void,
): Promise<number> {
  let reported = 0
  for (const report of await listDue(context.database)) {
    try {
      await startAttempt(context.database, report)
      await reportToStripe(context, report)
      reported += 1
    } catch (error) {
      await recordFailure(context.database, report, error)
      onFailure(report.paymentId, error)
    }
  }
  return reported
}

async function reportToStripe(context: PaymentContext, report: Report): Promise<void> {
  const { stripe, database } = context
  const invoice = await stripe.invoices.retrieve(report.invoiceId)
  const attached = report.isSearched ? await findAttached(stripe, report) : undefined
  const recordId = attached ?? report.recordId ?? (await createRecord(stripe, invoice, report))
  await database.transaction(asServer, (query) =>
    query('update internal.payment_reports set payment_record_id = $2 where payment_id = $1', [
      report.paymentId,
      recordId,
    ]),
  )
  if (attached === undefined) await attach(stripe, report, recordId)
  const current = await stripe.invoices.retrieve(report.invoiceId)
  await database.transaction(asServer, async (query) => {
    await linkInvoice(query, current)
    await query(
      `update internal.payment_reports set state = 'reported', reported_at = now(), problem = null where payment_id = $1`,
      [report.paymentId],
    )
  })
}

/** Creates the payment record. The metadata name the ledger line, so that the record is found again. */
async function createRecord(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  report: Report,
): Promise<string> {
  const record = await stripe.paymentRecords.reportPayment(
    {
      amount_requested: { value: report.amountCents, currency: report.currency },
      initiated_at: report.paidAt,
      outcome: 'guaranteed',
      guaranteed: { guaranteed_at: report.paidAt },
      customer_details: { customer: idOf(invoice.customer) },
      payment_method_details: {
        type: 'custom',
        custom: { display_name: methodNames[report.method] ?? 'Other' },
      },
      metadata: { payment_id: report.paymentId },
    },
    { idempotencyKey: keyOf('report', report) },
  )
  return record.id
}

async function attach(stripe: Stripe, report: Report, recordId: string): Promise<void> {
  try {
    await stripe.invoices.attachPayment(
      report.invoiceId,
      { payment_record: recordId },
      { idempotencyKey: keyOf('attach', report) },
    )
  } catch (error) {
    // The response of an earlier attempt was lost after Stripe had attached the record.
    if (stripeFailure(error) !== 'refused' || !(await findAttached(stripe, report))) throw error
  }
}

/** After a day, and after a failure that Stripe stores with the key, a new key is needed. */
function keyOf(step: string, { paymentId, attempts, isSearched }: Report): string {
  return isSearched ? `${step}-${paymentId}-${attempts}` : `${step}-${paymentId}`
}

/** Returns the id of the payment record of this ledger line, if one is attached to the invoice. */
async function findAttached(
  stripe: Stripe,
  { invoiceId, paymentId }: Report,
): Promise<string | undefined> {
  const payments = stripe.invoicePayments.list({ invoice: invoiceId, limit: 100 })
  for await (const { payment } of payments) {
    const recordId = idOf(payment.payment_record ?? null)
    if (recordId === '') continue
    const record = await stripe.paymentRecords.retrieve(recordId)
    if (record.metadata['payment_id'] === paymentId) return recordId
  }
  return undefined
}

async function listDue(database: Database): Promise<Report[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<Report>(
      await query(
        `select report.payment_id as "paymentId", payment.invoice_id as "invoiceId",
           payment.amount_cents + coalesce((select sum(rounding.amount_cents) from public.payments rounding
             where rounding.original_id = payment.id and rounding.kind = 'cash_rounding'), 0)::integer as "amountCents",
           payment.currency, payment.method, extract(epoch from payment.paid_at)::integer as "paidAt",
           report.payment_record_id as "recordId", report.attempts,
           coalesce(report.first_attempt_at < now() - interval '23 hours' or report.problem = 'server_error', false) as "isSearched"
         from internal.payment_reports report join public.payments payment on payment.id = report.payment_id
         where report.state = 'due' and report.next_attempt_at <= now()
         order by report.next_attempt_at limit 20`,
      ),
    ),
  )
}

async function startAttempt(database: Database, { paymentId }: Report): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `update internal.payment_reports
       set attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, now()) where payment_id = $1`,
      [paymentId],
    ),
  )
}

/** A refusal is final, because Stripe would give it again; an outage is retried after a growing pause. */
async function recordFailure(database: Database, report: Report, error: unknown): Promise<void> {
  const failure = stripeFailure(error)
  const isFinal = failure === 'refused' || failure === 'missing'
  const { code, statusCode } = describeStripeError(error)
  const isServerError = typeof statusCode === 'number' && statusCode >= 500
  const problem = isServerError
    ? 'server_error'
    : typeof code === 'string'
      ? code
      : (failure ?? 'failed')
  const pauseSeconds = Math.min(10 * 2 ** report.attempts, longestPauseSeconds)
  await database.transaction(asServer, (query) =>
    query(
      `update internal.payment_reports
       set state = case when $2::boolean then 'refused' else state end, problem = $3,
         next_attempt_at = now() + $4::integer * interval '1 second' where payment_id = $1`,
      [report.paymentId, isFinal, problem.slice(0, 200), pauseSeconds],
    ),
  )
}
