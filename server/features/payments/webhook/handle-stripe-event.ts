import type Stripe from 'stripe'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import { releaseVoidedClaim } from '#server/features/invoices/estimates/estimate-claims.ts'
import type { Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { idOf, stripeFailure } from '../stripe.ts'
import type { PaymentContext } from '../payment-context.ts'
import { settleDeposit } from '../deposits/settle-deposit.ts'
import { settlePayment } from '../settlement/settle-payment.ts'
import { recordReversal } from './record-reversal.ts'
import { noticeOfDispute } from '#emails/payments/payment-notices.ts'

/**
 * Handles a verified webhook event. Reads the current state from Stripe and uses only the id in the event, so that
 * events may arrive late, twice or in any order. Resolves when the event is handled; throws when the event could not be
 * handled, so that Stripe delivers the event again.
 */
export function handleStripeEvent(context: PaymentContext, event: Stripe.Event): Promise<void> {
  const { database, stripe, paymentQueues } = context
  return paymentQueues.queues.webhook(async () => {
    if (await database.transaction(asServer, (query) => isHandled(query, event))) return
    const invoiceId = await invoiceOfEvent(stripe, event)
    if (invoiceId !== undefined) await settlePayment(context, invoiceId)
    else await settleDepositOf(context, event)
    if (invoiceId !== undefined && event.type === 'invoice.voided')
      await freeEstimate(context, invoiceId)
    await recordReversal(context, event)
    await database.transaction(asServer, async (query) => {
      if (!(await recordHandled(query, event))) return
      if (event.type === 'charge.dispute.created') {
        await queueOwnerNotice(query, noticeOfDispute(context, event.data.object))
      }
    })
  })
}

/** Records a deposit that was paid in a checkout session. */
async function settleDepositOf(context: PaymentContext, { type, data }: Stripe.Event) {
  if (type !== 'checkout.session.completed' && type !== 'checkout.session.expired') return
  if (data.object.metadata?.['estimate_id']) await settleDeposit(context, data.object.id)
}

/** Allows staff to bill an estimate again after its invoice was voided. */
async function freeEstimate({ stripe, database }: PaymentContext, invoiceId: string) {
  const { status } = await stripe.invoices.retrieve(invoiceId)
  if (status === 'void') await releaseVoidedClaim(database, invoiceId)
}

async function isHandled(query: Query, event: Stripe.Event): Promise<boolean> {
  const rows = await query('select from internal.stripe_events where id = $1', [event.id])
  return rows.length > 0
}

/** Records that an event was handled. Returns false if a concurrent call has already handled the event. */
async function recordHandled(query: Query, event: Stripe.Event): Promise<boolean> {
  const rows = await query(
    'insert into internal.stripe_events (id, type, is_live) values ($1, $2, $3) on conflict do nothing returning id',
    [event.id, event.type, event.livemode],
  )
  return rows.length > 0
}

/** Returns the id of the invoice that an event is about; undefined for an event that changes no invoice. */
async function invoiceOfEvent(stripe: Stripe, event: Stripe.Event): Promise<string | undefined> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return invoiceOfSession(stripe, event.data.object.id)
    case 'invoice.finalized':
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.overpaid':
    case 'invoice.voided':
    case 'invoice.marked_uncollectible':
      return existing(stripe, event.data.object.id)
    case 'invoice_payment.paid':
      return existing(stripe, idOf(event.data.object.invoice))
    default:
      return undefined
  }
}

/** A checkout session that another application opened in the same Stripe account has no invoice of the shop. */
async function invoiceOfSession(stripe: Stripe, sessionId: string): Promise<string | undefined> {
  try {
    const session = await stripe.checkout.sessions.retrieve(sessionId)
    return session.metadata?.['invoice_id']
  } catch (error) {
    if (stripeFailure(error) === 'missing') return undefined
    throw error
  }
}

/** The invoice may have been deleted before the event arrived. Delivering the event again would not help. */
async function existing(stripe: Stripe, invoiceId: string): Promise<string | undefined> {
  try {
    return (await stripe.invoices.retrieve(invoiceId)).id
  } catch (error) {
    if (stripeFailure(error) === 'missing') return undefined
    throw error
  }
}
