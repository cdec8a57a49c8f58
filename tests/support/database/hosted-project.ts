import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { bootstrapDatabase } from '#server/platform/database/bootstrap-database.ts'
import { migrate } from '#server/platform/database/migrations.ts'

/**
 * Changes the database at `superuserUrl` to that of a new hosted Supabase project, and migrates it as the project's
 * owner. With TEST_PROJECT=hosted, every database test runs on such a database. Tests of accounts add the file
 * hosted-auth.sql.
 */
export async function prepareHostedProject(
  superuserUrl: string,
  files: readonly string[] = ['hosted-project.sql'],
): Promise<void> {
  await bootstrapDatabase(superuserUrl)
  const owner = new URL(superuserUrl)
  owner.username = 'hosted_owner'
  const sql = await Promise.all(
    files.map((file) => readFile(join(import.meta.dirname, file), 'utf8')),
  )
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(sql.join('\n'))
  await client.query(
    `alter role hosted_owner password ${escapeLiteral(decodeURIComponent(owner.password))};
     alter database ${escapeIdentifier(owner.pathname.slice(1))} owner to hosted_owner`,
  )
  await client.end()
  await migrate(owner.href)
}
