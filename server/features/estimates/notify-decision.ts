import type { Authorization, SentRevision } from '#contracts/estimates/estimates.ts'
import {
  type AuthorizationBatch,
  writeEstimateApproved,
} from '#emails/estimates/estimate-approved.ts'
import { writeEstimateDecisionNotice } from '#emails/estimates/estimate-decision-notice.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import type { Query } from '@local/postgres'
import type { DecisionContext, Done } from './decision-context.ts'
import { findEstimatePath } from './estimate-tokens.ts'

/** Queues the emails about a decision that a customer made on the estimate page. */
export async function notifyDecision(
  context: DecisionContext,
  query: Query,
  { sentRevision }: Done,
): Promise<void> {
  const batch = batchOf(sentRevision, sentRevision.authorizations.at(-1)?.batchId)
  if (!batch) return
  await notifyApproval(context, query, sentRevision, batch)
  const [rules] = await query('select notify_shop_of_changes from public.booking_rules')
  if (!rules?.notify_shop_of_changes) return
  await queueOwnerNotice(query, writeEstimateDecisionNotice(sentRevision, batch, context))
}

export type NotifyContext = Pick<DecisionContext, 'currentShop' | 'publicUrl'>

/**
 * Queues the email that lists the jobs that a customer approved at the same time (one batch of authorizations), once
 * per batch. Returns the id of the email; null when no job was approved or the estimate has no email address.
 */
export async function notifyApproval(
  { currentShop, publicUrl }: NotifyContext,
  query: Query,
  sentRevision: SentRevision,
  batch: AuthorizationBatch,
): Promise<string | null> {
  const path = await findEstimatePath(query, sentRevision.estimateId)
  const isApproved = batch.some(({ decision }) => decision === 'approved')
  if (!path || !isApproved || sentRevision.customerEmail === '') return null
  const url = new URL(path, publicUrl).href
  return queueEmail(query, writeEstimateApproved(currentShop(), sentRevision, batch, url))
}

/** Selects the authorizations of one batch, which consists of decisions that the customer made at the same time. */
export function batchOf(
  { authorizations }: SentRevision,
  batchId: string | undefined,
): AuthorizationBatch | undefined {
  const [first, ...others] = authorizations.filter(
    (line: Authorization) => line.batchId === batchId,
  )
  return first && [first, ...others]
}
