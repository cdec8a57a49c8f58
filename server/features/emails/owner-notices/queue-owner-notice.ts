import type { OwnerNotice } from '#emails/setup/owner-notice.ts'
import type { Query } from '@local/postgres'
import { queueEmail } from '../outbox/queue-email.ts'

/**
 * Queues a notice to the owner in the transaction of its cause: an email of its own if the owner received none in the
 * last ten minutes, else a line in the next collected email (docs/product.md 10.9).
 */
export async function queueOwnerNotice(query: Query, notice: OwnerNotice): Promise<void> {
  const { ownerNotice: line, ...email } = notice
  const [added] = await query('select internal.add_owner_notice($1, $2) as "isFirst"', [
    email.dedupeKey,
    line,
  ])
  if (added?.isFirst) await queueEmail(query, email)
}
