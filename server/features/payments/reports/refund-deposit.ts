import type Stripe from 'stripe'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { findRefund } from './find-refund.ts'
import { keyOf, type Report } from './report.ts'

/** A deposit, or a part of it, that goes back to the card with which it was paid online. */
type DepositRefund = {
  readonly paymentId: string
  readonly amountCents: number
  readonly paymentIntentId: string
}

/** Reads the refund of a report. */
export async function readDepositRefund(
  database: Database,
  { id }: Report,
): Promise<DepositRefund> {
  const [refund] = await database.transaction(asServer, async (query) =>
    rowsAs<DepositRefund>(
      await query(
        `select refund.id as "paymentId", -refund.amount_cents as "amountCents",
           coalesce(original.payment_intent_id, '') as "paymentIntentId"
         from internal.stripe_reports report join public.payments refund on refund.id = report.payment_id
         join public.payments original on original.id = refund.original_id
         where report.id = $1`,
        [id],
      ),
    ),
  )
  if (!refund) throw new Error('A report has no refund')
  return refund
}

/** Returns a deposit to its card, once. Returns the id of the refund. */
export async function refundDeposit(
  stripe: Stripe,
  report: Report,
  { paymentId, amountCents, paymentIntentId }: DepositRefund,
): Promise<string> {
  const known = report.isSearched ? await findRefund(stripe, paymentIntentId, paymentId) : undefined
  if (known !== undefined) return known
  const made = await stripe.refunds.create(
    {
      payment_intent: paymentIntentId,
      amount: amountCents,
      metadata: { payment_id: paymentId },
    },
    { idempotencyKey: keyOf('refund', paymentId, report) },
  )
  return made.id
}
