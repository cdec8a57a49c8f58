import { randomBytes } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * Returns the shop's secret with this name: 256 random bits as base64url text. The secret is created at its first
 * use and is the same for all processes that use the database. Names are lower case with underscores.
 */
export function getSecret(database: Database, name: string): Promise<string> {
  return database.transaction(asServer, async (query) => {
    const read = async () => {
      const [row] = await query('select value from internal.secrets where name = $1', [name])
      return row?.value
    }
    const existing = await read()
    if (existing !== undefined) return existing
    // When two processes create the secret at the same time, one insert succeeds and both processes read the inserted
    // secret.
    await query(
      'insert into internal.secrets (name, value) values ($1, $2) on conflict do nothing',
      [name, randomBytes(32).toString('base64url')],
    )
    const made = await read()
    if (made === undefined) throw new Error(`The secret ${name} was neither found nor created`)
    return made
  })
}
