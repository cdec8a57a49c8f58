import { type Database, type Query, rowsAs } from '@local/postgres'
import type { Owner } from '#emails/setup/owner-notice.ts'
import { type PasskeyAnomaly, writePasskeyNotice } from '#emails/team/passkey-notice.ts'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { Admin } from '../gateway/auth-gateway.ts'

/** A passkey of a team member who can sign in, with the data that are needed to verify a response. */
export type UsablePasskey = {
  readonly id: string
  readonly admin: Admin
  readonly publicKey: Buffer
  readonly isBackupEligible: boolean
}

/**
 * Finds a passkey by its credential id, which the device chose. Returns undefined when no passkey has this id, when the
 * passkey is switched off or was created for another host, or when the team member cannot sign in.
 */
export function findUsablePasskey(
  database: Database,
  credentialId: Buffer,
  rpId: string,
): Promise<UsablePasskey | undefined> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query(
      `select passkey.id, passkey.user_id, account.username, passkey.public_key, passkey.is_backup_eligible
       from internal.passkeys passkey join public.staff_accounts account using (user_id)
       where passkey.credential_id = $1 and passkey.rp_id = $2 and passkey.is_active
         and internal.staff_role_of(passkey.user_id, now()) is not null`,
      [credentialId, rpId],
    )
    return (
      row && {
        id: row.id,
        admin: { userId: row.user_id, username: row.username },
        publicKey: row.public_key,
        isBackupEligible: row.is_backup_eligible,
      }
    )
  })
}

/**
 * Records a response with a valid signature, and returns true. Returns false when the signature counter of the response
 * is not higher than that of the previous response, which may mean that the passkey was copied (WebAuthn Level 3,
 * 6.1.1). The first outdated counter is only recorded; the second one switches the passkey off. The owner of the shop
 * receives an email about each outdated counter. Counters of synced passkeys, and of passkeys whose counter is always
 * 0, are ignored.
 */
export async function recordAnswer(
  { database, owner }: { readonly database: Database; readonly owner: Owner },
  passkeyId: string,
  { counter, isBackedUp }: { readonly counter: number; readonly isBackedUp: boolean },
): Promise<boolean> {
  return database.transaction(asServer, async (query) => {
    const accepted = await query(
      `update internal.passkeys set counter = $2, is_backed_up = $3 and is_backup_eligible, last_used_at = now()
       where id = $1 and is_active and (is_backup_eligible or counter < $2 or counter = 0 and $2 = 0)
       returning 1`,
      [passkeyId, counter, isBackedUp],
    )
    if (accepted.length > 0) return true
    const anomaly = await countAnomaly(query, passkeyId)
    if (anomaly) await queueOwnerNotice(query, writePasskeyNotice(owner, anomaly))
    return false
  })
}

/**
 * Counts an anomaly of a passkey's signature counter. Returns undefined when another request has switched the
 * passkey off in the meantime.
 */
async function countAnomaly(query: Query, passkeyId: string): Promise<PasskeyAnomaly | undefined> {
  const [row] = await query(
    `update internal.passkeys passkey set anomaly_count = anomaly_count + 1, is_active = anomaly_count = 0
     from public.staff_accounts account
     where id = $1 and passkey.is_active and account.user_id = passkey.user_id
     returning passkey.name, account.name as staff_name, anomaly_count, passkey.is_active`,
    [passkeyId],
  )
  return (
    row && {
      passkeyId,
      passkeyName: row.name,
      staffName: row.staff_name,
      count: row.anomaly_count,
      isSwitchedOff: !row.is_active,
    }
  )
}

export type NewPasskey = {
  readonly userId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  readonly transports: readonly string[]
  readonly name: string
  readonly rpId: string
}

/** Stores a passkey; returns false when another passkey has the same credential id. */
export async function insertPasskey(query: Query, passkey: NewPasskey): Promise<boolean> {
  const rows = await query(
    `insert into internal.passkeys (user_id, credential_id, public_key, counter, is_backup_eligible, is_backed_up,
       transports, name, rp_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (credential_id) do nothing returning 1`,
    [
      passkey.userId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.counter,
      passkey.isBackupEligible,
      passkey.isBackedUp,
      passkey.transports,
      passkey.name,
      passkey.rpId,
    ],
  )
  return rows.length > 0
}

/** A passkey with the fields that the dashboard shows to the team member who created the passkey. */
export type ListedPasskey = {
  readonly id: string
  readonly credential_id: Buffer
  readonly transports: string[]
  readonly name: string
  readonly rp_id: string
  readonly created_at_ms: number
  readonly last_used_at_ms: number | null
  readonly anomaly_count: number
  readonly is_active: boolean
}

/** Lists the passkeys of a team member, the oldest first. */
export function listPasskeys(database: Database, userId: string): Promise<ListedPasskey[]> {
  return database.transaction(asServer, async (query) =>
    rowsAs<ListedPasskey>(
      await query(
        `select id, credential_id, transports, name, rp_id, anomaly_count, is_active,
           (extract(epoch from created_at) * 1000)::float8 as created_at_ms,
           (extract(epoch from last_used_at) * 1000)::float8 as last_used_at_ms
         from internal.passkeys where user_id = $1 order by created_at, id`,
        [userId],
      ),
    ),
  )
}
