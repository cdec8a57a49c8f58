import { Client } from 'pg'
import { findRunningServer } from '@local/embedded-postgres'
import { testFormKey } from '#tests/support/app/form-key.ts'

/** Lets visitors of a shop with a database of its own open their forms a minute ago: its key becomes the known one. */
export async function fixFormKey(ownerUrl: string | undefined): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`update internal.secrets set value = $1 where name = 'form_key'`, [testFormKey])
  await owner.end()
}

/** The same for a shop with the database that comes with it. */
export function fixFormKeyIn(dataDirectory: string): Promise<void> {
  return fixFormKey(findRunningServer(dataDirectory))
}
