import type { CurrentShop } from '#domain/shop/shop.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { readSentRevision } from './read-sent-revision.ts'
import { batchOf, notifyApproval } from './notify-decision.ts'

/** The maximum number of emails per run of the job; the next run sends the rest. */
const mostAtOnce = 50

type NotifyContext = {
  readonly database: Database
  readonly currentShop: CurrentShop
  /** The public URL of the site, for links in emails. */
  readonly publicUrl: string
}

/**
 * Queues one email for each approval that staff recorded for a customer. The email is queued only once, even when
 * several processes run this job. Returns the number of such approvals.
 */
export function notifyApprovals({ database, ...context }: NotifyContext): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const missing = rowsAs<{ estimateId: string; batchId: string }>(
      await query(
        'select estimate_id as "estimateId", batch_id as "batchId" from internal.list_approvals_without_email($1)',
        [mostAtOnce],
      ),
    )
    for (const { estimateId, batchId } of missing) {
      const sentRevision = await readSentRevision(query, estimateId)
      const batch = sentRevision && batchOf(sentRevision, batchId)
      if (batch) await notifyApproval(context, query, sentRevision, batch)
    }
    return missing.length
  })
}
