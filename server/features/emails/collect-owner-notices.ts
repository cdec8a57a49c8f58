import { type Owner, writeCollectedNotices } from '#letters/owner-notice.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import { queueEmail } from './queue-email.ts'

/** Writes what waits to be told to the owner into one email, ten minutes after the last one. Returns how many that were. */
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
