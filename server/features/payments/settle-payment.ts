import type Stripe from 'stripe'
import { indexInvoiceNumber } from '#server/features/invoices/invoice-number-index.ts'
import type { Query } from '#server/platform/database.ts'
import { idOf } from '#server/platform/stripe.ts'
import { withInvoiceLock } from './invoice-lock.ts'
import { expireSession, paidIntentOf, sessionsOfInvoice } from './invoice-sessions.ts'
import { outcomeOf, recordedOverpayment, recordPayment } from './ledger.ts'
import type { PaymentContext } from './payment-context.ts'
import { queueReceipt } from './queue-receipt.ts'
import { tellOwnerOfDuplicate, tellOwnerOfOverpayment } from './tell-owner.ts'

/**
 * Brings the processor's invoice, our ledger, the open checkouts and the receipt into agreement with
 * what was really paid, and returns the invoice as it is then. Webhook, success page and
 * reconciliation all call this one function, in any order and as often as they like: every step looks
 * first whether it is done, and a process that dies between two steps leaves what the next call ends.
 * Throws when the processor or the database cannot be reached; nothing is then half written by us.
 */
export function settlePayment(context: PaymentContext, invoiceId: string): Promise<Stripe.Invoice> {
  return withInvoiceLock(context.database, invoiceId, (query) => settle(context, query, invoiceId))
}

/** The same, for who already holds the invoice's lock. */
export async function settle(
  context: PaymentContext,
  query: Query,
  invoiceId: string,
): Promise<Stripe.Invoice> {
  const { stripe } = context
  const before = await stripe.invoices.retrieve(invoiceId)
  await indexInvoiceNumber(query, before)
  if (before.status === 'draft') return before
  const sessions = await sessionsOfInvoice(stripe, before)
  // The oldest first: the payment that came first is the one that counts.
  for (const session of sessions.toReversed())
    await settleSession(context, query, before.id, session)
  await recordDirectPayments(context, query, before)

  const invoice = await stripe.invoices.retrieve(invoiceId)
  if (invoice.status !== 'open') await closeCheckouts(stripe, sessions)
  if (invoice.status === 'paid') await queueReceipt(context, query, invoice, sessions)
  return invoice
}

/** Money that came through our checkout: it pays the invoice, or goes back if something else has paid it. */
async function settleSession(
  context: PaymentContext,
  query: Query,
  invoiceId: string,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const intent = paidIntentOf(session)
  if (!intent || (await outcomeOf(query, intent.id))) return
  const invoice = await attach(context.stripe, invoiceId, intent.id)
  if (invoice) await recordApplied(context, query, invoice, intent, session.id)
  else await refundDuplicate(context, query, invoiceId, intent, session.id)
}

/** The invoice once the payment counts for it; undefined when it can no longer take one. */
async function attach(
  stripe: Stripe,
  invoiceId: string,
  paymentIntentId: string,
): Promise<Stripe.Invoice | undefined> {
  const counts = await stripe.invoicePayments.list({
    invoice: invoiceId,
    payment: { type: 'payment_intent', payment_intent: paymentIntentId },
  })
  const invoice = await stripe.invoices.retrieve(invoiceId)
  if (counts.data.length > 0) return invoice
  if (invoice.status !== 'open') return undefined
  try {
    return await stripe.invoices.attachPayment(
      invoiceId,
      { payment_intent: paymentIntentId },
      { idempotencyKey: `attach-${invoiceId}-${paymentIntentId}` },
    )
  } catch (error) {
    // Paid or voided elsewhere since we looked, or the attachment worked and only its answer was lost.
    const now = await stripe.invoices.retrieve(invoiceId)
    if (now.status === 'open') throw error
    const late = await stripe.invoicePayments.list({
      invoice: invoiceId,
      payment: { type: 'payment_intent', payment_intent: paymentIntentId },
    })
    return late.data.length > 0 ? now : undefined
  }
}

async function recordApplied(
  context: PaymentContext,
  query: Query,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  checkoutSessionId: string | null,
): Promise<void> {
  const unrecorded = invoice.amount_overpaid - (await recordedOverpayment(query, invoice.id))
  // The processor keeps what is too much as the customer's credit: it is told, not refunded as well.
  const overpaidCents = Math.min(Math.max(unrecorded, 0), intent.amount_received)
  const isNew = await recordPayment(query, {
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    paymentIntentId: intent.id,
    checkoutSessionId,
    amountCents: intent.amount_received,
    overpaidCents,
    currency: intent.currency,
    outcome: overpaidCents > 0 ? 'overpaid' : 'applied',
    refundId: null,
    paidAt: invoice.status_transitions.paid_at ?? intent.created,
  })
  if (isNew && overpaidCents > 0) {
    await tellOwnerOfOverpayment(context, query, invoice, { intent, overpaidCents })
  }
}

async function refundDuplicate(
  context: PaymentContext,
  query: Query,
  invoiceId: string,
  intent: Stripe.PaymentIntent,
  checkoutSessionId: string,
): Promise<void> {
  const { stripe } = context
  const known = (await stripe.refunds.list({ payment_intent: intent.id, limit: 1 })).data[0]
  const refund =
    known ??
    (await stripe.refunds.create(
      { payment_intent: intent.id, reason: 'duplicate', metadata: { invoice_id: invoiceId } },
      { idempotencyKey: `refund-duplicate-${intent.id}` },
    ))
  const invoice = await stripe.invoices.retrieve(invoiceId)
  await recordPayment(query, {
    invoiceId,
    invoiceNumber: invoice.number,
    paymentIntentId: intent.id,
    checkoutSessionId,
    amountCents: intent.amount_received,
    overpaidCents: 0,
    currency: intent.currency,
    outcome: 'refunded',
    refundId: refund.id,
    paidAt: intent.created,
  })
  await tellOwnerOfDuplicate(context, query, invoice, intent)
}

/** Money that reached the invoice without our checkout: through the processor's own invoice page. */
async function recordDirectPayments(
  context: PaymentContext,
  query: Query,
  invoice: Stripe.Invoice,
): Promise<void> {
  const { stripe } = context
  const payments = await stripe.invoicePayments.list({
    invoice: invoice.id,
    status: 'paid',
    limit: 100,
  })
  for (const { payment } of payments.data) {
    const intentId = idOf(payment.payment_intent ?? null)
    if (intentId === '' || (await outcomeOf(query, intentId))) continue
    const intent = await stripe.paymentIntents.retrieve(intentId)
    const current = await stripe.invoices.retrieve(invoice.id)
    await recordApplied(context, query, current, intent, null)
  }
}

/** An invoice that needs no payment must not offer one in a forgotten tab. */
async function closeCheckouts(
  stripe: Stripe,
  sessions: readonly Stripe.Checkout.Session[],
): Promise<void> {
  for (const session of sessions) {
    if (session.status === 'open') await expireSession(stripe, session.id)
  }
}
