import { type Owner, writeCollectedNotices } from '#emails/setup/owner-notice.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { queueEmail } from '../outbox/queue-email.ts'

/**
 * Queues one email with all notices to the owner that have not been sent, if the last notice email is at least ten
 * minutes old. Returns the number of notices.
 */
export function collectOwnerNotices(database: Database, owner: Owner): Promise<number> {
  return database.transaction(asServer, async (query) => {
    const [first, ...others] = rowsAs<{ line: string; takenAt: string }>(
      await query('select line, now()::text as "takenAt" from internal.claim_owner_notices()'),
    )
    if (!first) return 0
    const lines = [first.line, ...others.map(({ line }) => line)] as const
    const email = writeCollectedNotices(owner, lines, `notices:${first.takenAt}`)
    await queueEmail(query, email)
    return lines.length
  })
}
