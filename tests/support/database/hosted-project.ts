import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { bootstrapDatabase } from '#server/platform/database/bootstrap-database.ts'
import { migrate } from '#server/platform/database/migrations.ts'

/**
 * Prepares the database at a superuser's URL like a new hosted project, and migrates it as that project's owner. With
 * TEST_PROJECT=hosted, any database test runs against such a project.
 */
export async function prepareHostedProject(superuserUrl: string): Promise<void> {
  await bootstrapDatabase(superuserUrl)
  const owner = new URL(superuserUrl)
  owner.username = 'hosted_owner'
  const sql = await readFile(join(import.meta.dirname, 'hosted-project.sql'), 'utf8')
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(sql)
  await client.query(
    `alter role hosted_owner password ${escapeLiteral(decodeURIComponent(owner.password))};
     alter database ${escapeIdentifier(owner.pathname.slice(1))} owner to hosted_owner`,
  )
  await client.end()
  await migrate(owner.href)
}
