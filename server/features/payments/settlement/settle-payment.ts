import type Stripe from 'stripe'
import { indexInvoiceNumber } from '#server/features/invoices/records/invoice-number-index.ts'
import { linkInvoice } from '#server/features/invoices/records/link-invoice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { idOf } from '../stripe.ts'
import {
  needsReceipt,
  type SettlementState,
  addSettledPayment,
  hasPayment,
  loadSettlement,
  overpaidCents,
  saveSettlement,
} from './settlement-state.ts'
import { withInvoiceLock } from './invoice-lock.ts'
import { expireSession, paidIntentOf, sessionsOfInvoice } from '../checkout/invoice-sessions.ts'
import { claimOnlinePayment, recordClosedSessions } from '../checkout/payment-pages.ts'
import type { PaymentContext } from '../payment-context.ts'
import { prepareReceipt } from './prepare-receipt.ts'
import { noticeOfDuplicate, noticeOfOverpayment } from '#emails/payments/payment-notices.ts'

/**
 * Settles the payments of an invoice: attaches them to the Stripe invoice, records them in the payments table, closes
 * the open checkouts of a paid invoice and queues the receipt email. Returns the updated invoice. The webhook, the
 * success page and the reconciliation job all call this function, in any order and any number of times. Every step
 * first checks whether it is already done, so the next call completes a settlement that a crash interrupted.
 * Simultaneous calls share one settlement. Throws during an outage of Stripe or the database; the database is then
 * unchanged.
 */
export function settlePayment(context: PaymentContext, invoiceId: string): Promise<Stripe.Invoice> {
  return context.paymentQueues.settlements(invoiceId, () =>
    withInvoiceLock(context.database, invoiceId, () => settleUnderLock(context, invoiceId)),
  )
}

/** Settles an invoice. The calling function must have acquired the lock of the invoice (withInvoiceLock). */
export async function settleUnderLock(
  context: PaymentContext,
  invoiceId: string,
): Promise<Stripe.Invoice> {
  const { stripe, database } = context
  const before = await stripe.invoices.retrieve(invoiceId)
  const settlement = await database.transaction(asServer, async (query) => {
    await indexInvoiceNumber(query, before)
    return loadSettlement(query, before.id)
  })
  if (before.status === 'draft') return before
  const sessions = await sessionsOfInvoice(stripe, before)
  // Settles the oldest checkout session first, because the first payment counts and a later one is refunded.
  for (const session of sessions.toReversed())
    await settleSession(context, settlement, before.id, session)
  await enterDirectPayments(context, settlement, before)

  const invoice = await stripe.invoices.retrieve(invoiceId)
  if (invoice.status !== 'open') await closeCheckouts(stripe, sessions)
  await writeDown(context, settlement, invoice, sessions)
  return invoice
}

async function writeDown(
  context: PaymentContext,
  settlement: SettlementState,
  invoice: Stripe.Invoice,
  sessions: readonly Stripe.Checkout.Session[],
): Promise<void> {
  const isDue = invoice.status === 'paid' && needsReceipt(settlement)
  const receipt = isDue ? await prepareReceipt(context, invoice, sessions) : undefined
  await context.database.transaction(asServer, async (query) => {
    await linkInvoice(query, invoice)
    await recordClosedSessions(
      query,
      sessions
        .filter(({ status }) => invoice.status !== 'open' || status !== 'open')
        .map(({ id }) => id),
    )
    await saveSettlement(query, settlement, receipt)
  })
}

/**
 * Applies a payment from a checkout of this site to the invoice, or refunds the payment if the invoice was already paid
 * by another payment.
 */
async function settleSession(
  context: PaymentContext,
  settlement: SettlementState,
  invoiceId: string,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const intent = paidIntentOf(session)
  if (!intent || hasPayment(settlement, intent.id)) return
  const mayAttach = await claimOnlinePayment(context.database, invoiceId, intent)
  const invoice = mayAttach ? await attach(context.stripe, invoiceId, intent.id) : undefined
  if (invoice) enterApplied(context, settlement, { invoice, intent }, session.id)
  else await refundDuplicate(context, settlement, invoiceId, intent, session.id)
}

/** Returns the invoice after the payment was attached; undefined when the invoice accepts no payment. */
async function attach(
  stripe: Stripe,
  invoiceId: string,
  paymentIntentId: string,
): Promise<Stripe.Invoice | undefined> {
  // Checks whether this payment is already attached before checking the status of the invoice, because an earlier
  // call may have attached the payment and thereby paid the invoice.
  const invoice = await stripe.invoices.retrieve(invoiceId)
  if (await isCounted(stripe, invoiceId, paymentIntentId)) {
    return stripe.invoices.retrieve(invoiceId)
  }
  if (invoice.status !== 'open') return undefined
  try {
    return await stripe.invoices.attachPayment(
      invoiceId,
      { payment_intent: paymentIntentId },
      { idempotencyKey: `attach-${invoiceId}-${paymentIntentId}` },
    )
  } catch (error) {
    // Either Stripe refused the payment because the invoice was paid or voided after the settlement read the invoice,
    // or Stripe attached the payment but the response was lost.
    const now = await stripe.invoices.retrieve(invoiceId)
    if (now.status === 'open') throw error
    return (await isCounted(stripe, invoiceId, paymentIntentId)) ? now : undefined
  }
}

async function isCounted(
  stripe: Stripe,
  invoiceId: string,
  paymentIntentId: string,
): Promise<boolean> {
  const counts = await stripe.invoicePayments.list({
    invoice: invoiceId,
    payment: { type: 'payment_intent', payment_intent: paymentIntentId },
  })
  return counts.data.length > 0
}

function enterApplied(
  context: PaymentContext,
  settlement: SettlementState,
  payment: { readonly invoice: Stripe.Invoice; readonly intent: Stripe.PaymentIntent },
  checkoutSessionId: string | null,
): void {
  const { invoice, intent } = payment
  const unrecorded = invoice.amount_overpaid - overpaidCents(settlement)
  // Stripe credits the surplus to the customer, so the overpayment is reported to the owner and not refunded.
  const tooMuch = Math.min(Math.max(unrecorded, 0), intent.amount_received)
  const entry = {
    invoiceId: invoice.id,
    paymentIntentId: intent.id,
    checkoutSessionId,
    amountCents: intent.amount_received,
    overpaidCents: tooMuch,
    currency: intent.currency,
    outcome: tooMuch > 0 ? 'overpaid' : 'applied',
    refundId: null,
    paidAt: invoice.status_transitions.paid_at ?? intent.created,
  } as const
  addSettledPayment(
    settlement,
    entry,
    tooMuch > 0 ? noticeOfOverpayment(context, payment, tooMuch) : undefined,
  )
}

async function refundDuplicate(
  context: PaymentContext,
  settlement: SettlementState,
  invoiceId: string,
  intent: Stripe.PaymentIntent,
  checkoutSessionId: string | null,
): Promise<void> {
  const { stripe } = context
  const existing = (await stripe.refunds.list({ payment_intent: intent.id, limit: 1 })).data[0]
  const refund =
    existing ??
    (await stripe.refunds.create(
      { payment_intent: intent.id, reason: 'duplicate', metadata: { invoice_id: invoiceId } },
      { idempotencyKey: `refund-duplicate-${intent.id}` },
    ))
  const invoice = await stripe.invoices.retrieve(invoiceId)
  const entry = {
    invoiceId,
    paymentIntentId: intent.id,
    checkoutSessionId,
    amountCents: intent.amount_received,
    overpaidCents: 0,
    currency: intent.currency,
    outcome: 'refunded',
    refundId: refund.id,
    paidAt: intent.created,
  } as const
  addSettledPayment(settlement, entry, noticeOfDuplicate(context, { invoice, intent }))
}

/** Records payments that were made without a checkout of this site, for example on Stripe's own invoice page. */
async function enterDirectPayments(
  context: PaymentContext,
  settlement: SettlementState,
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
    if (intentId === '' || hasPayment(settlement, intentId)) continue
    const intent = await stripe.paymentIntents.retrieve(intentId)
    if (!(await claimOnlinePayment(context.database, invoice.id, intent))) {
      await refundDuplicate(context, settlement, invoice.id, intent, null)
      continue
    }
    const current = await stripe.invoices.retrieve(invoice.id)
    enterApplied(context, settlement, { invoice: current, intent }, null)
  }
}

/**
 * Closes the open checkouts of an invoice that is fully paid, so that the customer cannot pay again in a forgotten
 * tab.
 */
async function closeCheckouts(
  stripe: Stripe,
  sessions: readonly Stripe.Checkout.Session[],
): Promise<void> {
  for (const session of sessions) {
    if (session.status === 'open') await expireSession(stripe, session.id)
  }
}
