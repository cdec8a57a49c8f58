import { join } from 'node:path'
import type { RecoveredDatabase } from '#server/platform/backup/restore/prepare-recovered.ts'
import { bringUpToDate } from '#server/platform/database/bootstrap-database.ts'
import { withOwner } from '#server/platform/database/with-owner.ts'
import { applyLatestFacts } from './apply-latest-facts.ts'
import { repeatErasures } from './repeat-erasures.ts'
import { renewProcessKeys } from '#server/platform/keys/open-keys.ts'
import { findOwnerWithoutPassword } from '#server/platform/storage/owner-without-password.ts'

/**
 * The tables of sign-in sessions, one-time codes and shared tablets. A restore empties these tables, because the
 * restored copy may run at the same time as the original shop, or on the machine of somebody who stole the backup.
 */
const endedTables = [
  'auth.refresh_tokens',
  'auth.sessions',
  'internal.admin_data_sessions',
  'internal.admin_sessions',
  'internal.calendar_feed',
  'internal.known_browsers',
  'internal.passkey_challenges',
  'internal.pending_sign_ins',
  'internal.sign_in_codes',
  'internal.tablet_attempts',
  'internal.tablet_data_sessions',
  'internal.tablet_pins',
  'internal.tablets',
  'public.staff_invitations',
]

export type PreparedShop = {
  /** The number of customers whose erasure the database refused to repeat. */
  readonly refusedErasures: number
  /**
   * True if the accounts and passwords are left as recovered, because the recovered database contains none of the
   * current owners.
   */
  readonly hasFormerAccounts: boolean
  /** The username of an owner if no owner has a password; otherwise undefined. */
  readonly ownerWithoutPassword: string | undefined
}

/**
 * Ends all sign-in sessions of a recovered database, replaces the keys that sign such sessions, and pauses all emails:
 * the original shop may still run, and the recovered database lacks later cancellations. Then applies the newer staff
 * accounts and document numbers from the backup target, and repeats later customer erasures.
 */
export async function prepareRestoredShop(recovered: RecoveredDatabase): Promise<PreparedShop> {
  const { ownerUrl, dataDirectory, recoveredMs, removals, facts } = recovered
  // An earlier version of the site may have made the backup, so the schema is updated before the changes that are newer
  // than the recovered database are applied.
  await bringUpToDate(ownerUrl)
  return withOwner(ownerUrl, 'restore', async (client) => {
    await client.query(`truncate ${endedTables.join(', ')}`)
    // The recovered database may contain the record of an earlier restore, which does not apply to this restore.
    await client.query('delete from internal.restored_shop')
    await client.query(
      `insert into internal.restored_shop (recovered_until) values (to_timestamp($1 / 1000.0))`,
      [recoveredMs],
    )
    const areLatest = await applyLatestFacts(client, facts, recoveredMs)
    const refusedErasures = await repeatErasures(client, removals, join(dataDirectory, 'outbox'))
    await renewProcessKeys({ ownerUrl, dataDirectory, isShared: false })
    const ownerWithoutPassword = await findOwnerWithoutPassword(client)
    return { refusedErasures, hasFormerAccounts: !areLatest, ownerWithoutPassword }
  })
}
