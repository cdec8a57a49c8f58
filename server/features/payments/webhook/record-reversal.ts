import type Stripe from 'stripe'
import { noticeOfFailedRefund, noticeOfLostDispute } from '#emails/payments/payment-notices.ts'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { PaymentContext } from '../payment-context.ts'
import { idOf } from '../stripe.ts'

/**
 * Records a reversal that the shop did not make: a refund that failed, or a payment that the shop lost in a dispute.
 * Reads the state from Stripe, so that events may arrive twice and in any order. Records each reversal once.
 */
export async function recordReversal(context: PaymentContext, event: Stripe.Event): Promise<void> {
  switch (event.type) {
    case 'refund.updated':
    case 'refund.failed':
      return recordFailedRefund(context, event.data.object.id)
    case 'charge.dispute.closed':
      return recordLostDispute(context, event.data.object.id)
    default:
  }
}

async function recordFailedRefund(context: PaymentContext, refundId: string): Promise<void> {
  const { stripe, database } = context
  const refund = await stripe.refunds.retrieve(refundId)
  if (refund.status !== 'failed') return
  await database.transaction(asServer, async (query) => {
    const [row] = await query('select internal.record_failed_refund($1, $2, $3) as "isNew"', [
      refund.id,
      refund.metadata?.['payment_id'] ?? null,
      refund.amount,
    ])
    if (row?.isNew === true) await queueOwnerNotice(query, noticeOfFailedRefund(context, refund))
  })
}

async function recordLostDispute(context: PaymentContext, disputeId: string): Promise<void> {
  const { stripe, database } = context
  const dispute = await stripe.disputes.retrieve(disputeId)
  if (dispute.status !== 'lost') return
  await database.transaction(asServer, async (query) => {
    const [row] = await query('select internal.record_lost_dispute($1, $2, $3) as "isNew"', [
      dispute.id,
      idOf(dispute.payment_intent),
      dispute.amount,
    ])
    if (row?.isNew === true) await queueOwnerNotice(query, noticeOfLostDispute(context, dispute))
  })
}
