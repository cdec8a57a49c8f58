import type Stripe from 'stripe'
import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'
import { paymentMethodNames } from '#domain/money/payment-method-names.ts'
import { idOf, stripeFailure } from '../stripe.ts'
import { type InvoiceReport, keyOf } from './report.ts'

/** A payment at the counter, or a deposit that was applied to an invoice, to report to Stripe. */
export type PaymentToReport = {
  readonly paymentId: string
  /** The exact amount of the payment, before cash rounding. */
  readonly amountCents: number
  readonly currency: string
  readonly method: PaymentMethod
  /** Seconds since 1970. */
  readonly paidAt: number
  /**
   * The id of the PaymentIntent at Stripe, if the payment is a deposit that was paid online and applied in full;
   * otherwise null.
   */
  readonly paymentIntentId: string | null
}

/**
 * Reports a payment to Stripe as a payment record with the id of the ledger entry, and attaches the record to the
 * invoice. An online deposit payment is attached directly if possible. `keepId` stores the Stripe id of a new record
 * before the record is attached, so that a retry finds the record.
 */
export async function reportPayment(
  stripe: Stripe,
  report: InvoiceReport,
  payment: PaymentToReport,
  keepId: (stripeId: string) => Promise<void>,
): Promise<void> {
  const { paymentIntentId } = payment
  if (paymentIntentId !== null && (await isOfCustomer(stripe, report, paymentIntentId))) {
    await attachIntent(stripe, report, payment, paymentIntentId)
    return keepId(paymentIntentId)
  }
  const attached = report.isSearched ? await findAttached(stripe, report, payment) : undefined
  const recordId = attached ?? report.stripeId ?? (await createRecord(stripe, report, payment))
  await keepId(recordId)
  if (attached === undefined) await attach(stripe, report, payment, recordId)
}

/**
 * Creates the payment record. The metadata of the record contain the id of the ledger entry, so that a later attempt
 * can find the record.
 */
async function createRecord(
  stripe: Stripe,
  report: InvoiceReport,
  payment: PaymentToReport,
): Promise<string> {
  const { customer } = await stripe.invoices.retrieve(report.invoiceId)
  const record = await stripe.paymentRecords.reportPayment(
    {
      amount_requested: { value: payment.amountCents, currency: payment.currency },
      initiated_at: payment.paidAt,
      outcome: 'guaranteed',
      guaranteed: { guaranteed_at: payment.paidAt },
      customer_details: { customer: idOf(customer) },
      payment_method_details: {
        type: 'custom',
        custom: { display_name: paymentMethodNames[payment.method] },
      },
      metadata: { payment_id: payment.paymentId },
    },
    { idempotencyKey: keyOf('report', payment.paymentId, report) },
  )
  return record.id
}

async function attach(
  stripe: Stripe,
  report: InvoiceReport,
  payment: PaymentToReport,
  recordId: string,
): Promise<void> {
  try {
    await stripe.invoices.attachPayment(
      report.invoiceId,
      { payment_record: recordId },
      { idempotencyKey: keyOf('attach', payment.paymentId, report) },
    )
  } catch (error) {
    // Stripe refuses to attach a record twice. An earlier attempt may have attached the record although the response
    // was lost.
    if (stripeFailure(error) !== 'refused' || !(await findAttached(stripe, report, payment))) {
      throw error
    }
  }
}

/**
 * Returns the id of the payment record for this ledger entry, if such a record is attached to the invoice; otherwise
 * undefined.
 */
async function findAttached(
  stripe: Stripe,
  { invoiceId }: InvoiceReport,
  { paymentId }: PaymentToReport,
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

/**
 * Whether a payment and the invoice belong to the same Stripe customer. Stripe refuses to attach the payment of another
 * customer.
 */
async function isOfCustomer(
  stripe: Stripe,
  { invoiceId }: InvoiceReport,
  paymentIntentId: string,
): Promise<boolean> {
  const intent = await stripe.paymentIntents.retrieve(paymentIntentId)
  const invoice = await stripe.invoices.retrieve(invoiceId)
  return idOf(intent.customer) === idOf(invoice.customer)
}

/** Attaches the online payment of a deposit to the invoice, unless an earlier attempt already attached this payment. */
async function attachIntent(
  stripe: Stripe,
  report: InvoiceReport,
  { paymentId }: PaymentToReport,
  paymentIntentId: string,
): Promise<void> {
  const attached = await stripe.invoicePayments.list({
    invoice: report.invoiceId,
    payment: { type: 'payment_intent', payment_intent: paymentIntentId },
  })
  if (attached.data.length > 0) return
  await stripe.invoices.attachPayment(
    report.invoiceId,
    { payment_intent: paymentIntentId },
    { idempotencyKey: keyOf('attach', paymentId, report) },
  )
}
