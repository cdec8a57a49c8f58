import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { getSecret } from '#server/platform/database/secrets.ts'

/** The name of the key in `internal.secrets` with which the server signs form tokens and the database verifies them. */
const keyName = 'form_key'

/**
 * Returns a token 'milliseconds.nonce.signature', which proves when a form was opened and can be used once. When the
 * form is sent, the database (supabase/schemas/45_holds.sql) checks the token against its own clock.
 */
export function signFormToken(issuedAtMs: number, key: string): string {
  const signed = `${issuedAtMs}.${randomBytes(8).toString('hex')}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('hex')}`
}

export type FormTokens = { issue(): Promise<string> }

export async function createFormTokens(database: Database): Promise<FormTokens> {
  const key = await getSecret(database, keyName)
  return {
    async issue() {
      const [row] = await database.transaction(asServer, (query) =>
        query('select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms'),
      )
      return signFormToken(Number(row?.ms), key)
    },
  }
}
