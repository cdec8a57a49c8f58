import type { OwnerNotice } from '#emails/setup/owner-notice.ts'
import type { Query } from '@local/postgres'
import { queueEmail } from '../outbox/queue-email.ts'

/**
 * Queues a notice to the owner in the transaction of the change that causes the notice. If the owner received no notice
 * email in the last ten minutes, the notice is a separate email, otherwise a line in the next email with several
 * notices (docs/product.md 10.9).
 */
export async function queueOwnerNotice(query: Query, notice: OwnerNotice): Promise<void> {
  const { ownerNotice: line, ...email } = notice
  const [added] = await query('select internal.add_owner_notice($1, $2) as "isFirst"', [
    email.dedupeKey,
    line,
  ])
  if (added?.isFirst) await queueEmail(query, email)
}
