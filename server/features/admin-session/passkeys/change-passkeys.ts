import type { Database } from '@local/postgres'
import { accepted, refused, type Result } from '#domain/result.ts'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * The id of a passkey and the id of the user who changes the passkey. A passkey of another user is treated as not
 * found.
 */
type OwnPasskey = { readonly id: string; readonly userId: string }

export async function renamePasskey(
  database: Database,
  { id, userId }: OwnPasskey,
  name: string,
): Promise<Result<undefined, 'PASSKEY_NOT_FOUND'>> {
  const rows = await database.transaction(asServer, (query) =>
    query('update internal.passkeys set name = $3 where id = $1 and user_id = $2 returning 1', [
      id,
      userId,
      name,
    ]),
  )
  return rows.length > 0 ? accepted(undefined) : refused('PASSKEY_NOT_FOUND')
}

/**
 * Removes a passkey of a team member, unless the team member could then no longer sign in. A team member without a
 * password must keep another passkey for the host of the site. Two simultaneous removals run one after the other.
 */
export function removePasskey(
  database: Database,
  { id, userId }: OwnPasskey,
  rpId: string,
): Promise<Result<undefined, 'PASSKEY_NOT_FOUND' | 'LAST_WAY_IN'>> {
  return database.transaction(asServer, async (query) => {
    const passkeys = await query(
      'select id, rp_id, is_active from internal.passkeys where user_id = $1 for update',
      [userId],
    )
    if (!passkeys.some((passkey) => passkey.id === id)) return refused('PASSKEY_NOT_FOUND')
    const [account] = await query('select internal.has_password($1) as has_password', [userId])
    const isAnotherLeft = passkeys.some(
      (passkey) => passkey.id !== id && passkey.rp_id === rpId && passkey.is_active,
    )
    if (!account?.has_password && !isAnotherLeft) return refused('LAST_WAY_IN')
    await query('delete from internal.passkeys where id = $1', [id])
    return accepted(undefined)
  })
}
