import { signFormToken } from '#server/features/form-guard/form-tokens.ts'
import type { Database } from '@local/postgres'
import { getSecret } from '#server/platform/database/secrets.ts'

/** A form token that is a minute old, so that its form does not look automated. */
export async function agedFormToken(database: Database): Promise<string> {
  return signFormToken(Date.now() - 60_000, await getSecret(database, 'form_key'))
}
