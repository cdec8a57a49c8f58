import { Client } from 'pg'
import { findRunningServer } from '@local/embedded-postgres'
import { testFormKey } from '#tests/support/app/form-key.ts'

/** Replaces the key that signs form tokens, so that simulated visitors can sign a form token that is a minute old. */
export async function fixFormKey(ownerUrl: string | undefined): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`update internal.secrets set value = $1 where name = 'form_key'`, [testFormKey])
  await owner.end()
}

/** Replaces the key that signs form tokens in a shop with an embedded database. */
export function fixFormKeyIn(dataDirectory: string): Promise<void> {
  return fixFormKey(findRunningServer(dataDirectory))
}
