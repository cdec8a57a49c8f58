import { Client } from 'pg'
import { findRunningServer } from '@local/embedded-postgres'
import { testFormKey } from '#tests/support/app/form-key.ts'

/** Sets a known form key, so that the simulated visitors of a shop can sign a form token that is a minute old. */
export async function fixFormKey(ownerUrl: string | undefined): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`update internal.secrets set value = $1 where name = 'form_key'`, [testFormKey])
  await owner.end()
}

/** Sets a known form key for a shop with its embedded database. */
export function fixFormKeyIn(dataDirectory: string): Promise<void> {
  return fixFormKey(findRunningServer(dataDirectory))
}
