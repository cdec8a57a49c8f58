import type { CurrentShop } from '#domain/shop/shop.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { readSentRevision } from './read-sent-revision.ts'
import { batchOf, notifyApproval } from './notify-decision.ts'

/** A run that would write more leaves the rest to the next one. */
const mostAtOnce = 50

type NotifyContext = {
  readonly database: Database
  readonly currentShop: CurrentShop
  /** Where visitors reach the site: letters lead there. */
  readonly publicUrl: string
}

/**
 * Writes the letters about approvals that the shop wrote down for its customers, each once whoever else is at it. Returns
 * how many it found.
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
