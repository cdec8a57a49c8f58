import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { readMigrations } from '#server/platform/database/migration-files.ts'
import { readSchema } from '#server/platform/database/schema-files.ts'
import { sqlFolder } from '#server/platform/database/migrations.ts'
import { databaseFromMigrations, databaseFromSchema } from '../migration/scratch-databases.ts'
import { type RowSuggestion, suggestRows } from '../migration/suggest-rows.ts'
import { nextVersion, suggestMigration } from '../migration/suggest-migration.ts'
import { startTestServer } from '#tests/support/database/test-server.ts'

// Runs as `npm run migration <name>`: writes the differences between supabase/schemas and the migrations to a new
// migration. A developer then reads the migration and adds the statements that change existing rows.

const usage = `npm run migration <name>, where the name says the effect in lower case, digits and underscores: add_reminder_time.
To rename an object: npm run migration <name> -- --rename <candidate>, with a candidate that the command printed before.`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rename: { type: 'string', multiple: true, default: [] } },
})
const [name = ''] = positionals
if (/^[a-z][a-z0-9_]*$/.test(name)) await writeMigration(name, values.rename)
else {
  console.error(usage)
  process.exitCode = 1
}

async function writeMigration(migration: string, renames: readonly string[]): Promise<void> {
  const server = await startTestServer()
  try {
    const current = await databaseFromMigrations(server.ownerUrl)
    const wanted = await databaseFromSchema(server.ownerUrl)
    const suggested = await suggestMigration(
      current.owner,
      wanted.owner,
      renames,
      await readSchema(sqlFolder),
    )
    const rows = await suggestRowsAfter(suggested.sql, current.owner, wanted.owner)
    await Promise.all([current.drop(), wanted.drop()])
    if (suggested.sql === '' && rows.sql === '') {
      console.log('The migrations already produce the schema of supabase/schemas.')
      print('Write a migration by hand for the rows that differ:', rows.others)
      return
    }
    const versions = (await readMigrations(sqlFolder)).map(({ version }) => version)
    const file = join(
      'supabase/migrations',
      `${nextVersion(new Date(), versions)}_${migration}.sql`,
    )
    writeFileSync(file, [suggested.sql, rows.sql].filter(Boolean).join('\n'))
    console.log(`Wrote ${file}. Read the file, and add the changes of existing rows.`)
    print('Statements that delete something:', suggested.destructive)
    print('Changed or deleted rows that the file does not change:', rows.others)
    print(
      'If an object was renamed, run the command again with --rename and one of:',
      suggested.renameCandidates,
    )
  } finally {
    await server.stop()
  }
}

/** Runs the migration `sql` on the database `current`, then suggests inserts for the rows that this database lacks. */
async function suggestRowsAfter(sql: string, current: Pool, wanted: Pool): Promise<RowSuggestion> {
  try {
    if (sql !== '') await current.query(`begin; ${sql} commit`)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    console.error(`The new migration fails, so rows of changed tables were not compared: ${cause}`)
    await current.query('rollback')
  }
  return suggestRows(current, wanted)
}

function print(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`${title}\n  ${lines.join('\n  ')}`)
}
