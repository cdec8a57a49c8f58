import type { Pool } from 'pg'
import { generateTypescript, sortGeneratorMetadata } from '@supabase/postgrest-typegen/generation'
import { introspect } from '@supabase/postgrest-typegen/introspection'

const notice = `/*
 * Generated from the database by \`npm run types\`; a test fails when this file is out of date. Contains the types of
 * every table, column and function that the data service offers, in the form that supabase-js expects.
 */
`

/** Returns the text of contracts/database-types.ts for the database of the connection pool `owner`. */
export async function renderDatabaseTypes(owner: Pool): Promise<string> {
  const metadata = await introspect(owner, { includedSchemas: ['public'] })
  const types = await generateTypescript(sortGeneratorMetadata(metadata), {
    postgrestVersion: '12',
  })
  return notice + types
}
