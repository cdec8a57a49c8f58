import { signFormToken } from '#server/features/form-guard/form-tokens.ts'
import type { Database } from '@local/postgres'
import { getSecret } from '#server/platform/database/secrets.ts'

/** Creates a form token dated one minute ago, so that the server does not treat the form as automated. */
export async function agedFormToken(database: Database): Promise<string> {
  return signFormToken(Date.now() - 60_000, await getSecret(database, 'form_key'))
}
