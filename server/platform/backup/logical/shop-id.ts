import { createHash } from 'node:crypto'
import { withLock } from '#server/platform/database/migrations.ts'
import { makeKey } from '#server/platform/keys/key-files.ts'
import { storeKey } from '#server/platform/keys/open-keys.ts'
import { queryOf } from '@local/postgres'

const name = 'backup_shop'

/**
 * Returns the number that identifies the shop at the target, derived from a random value in the database. The system
 * identifier of the server is not used, because a provider's server may contain the databases of several shops, and the
 * site's database user may not be allowed to read the identifier. A restored database does not contain the random value
 * and gets a new number.
 */
export function readShopId(ownerUrl: string): Promise<string> {
  return withLock(ownerUrl, async (client) => {
    const query = queryOf(client)
    const rows = await query('select name, value from internal.secrets')
    const stored = rows.find((row) => row.name === name)?.value
    const value = stored ?? makeKey()
    if (stored === undefined) await storeKey(query, name, value)
    return createHash('sha256').update(value).digest().readBigUInt64BE().toString()
  })
}
