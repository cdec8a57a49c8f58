import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readMigrations } from '#server/platform/database/migration-files.ts'
import { sqlFolder } from '#server/platform/database/migrations.ts'
import { databaseFromMigrations, databaseFromSchema } from '../migration/scratch-databases.ts'
import { nextVersion, suggestMigration } from '../migration/suggest-migration.ts'
import { startTestServer } from '#tests/support/database/test-server.ts'

// Run by `npm run migration <name>`: writes what supabase/schemas has and the migrations do not make yet into a new
// migration. A person reads it, and adds what happens to the rows that are there.

const usage = `npm run migration <name>, in small letters, digits and underscores: what it does, as add_reminder_time.
A renamed object: npm run migration <name> -- --rename <candidate>, as printed without it.`

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
    const suggested = await suggestMigration(current.owner, wanted.owner, renames)
    await Promise.all([current.drop(), wanted.drop()])
    if (suggested.sql === '') {
      console.log(
        'The migrations already make what supabase/schemas has. Rows are compared by the test alone.',
      )
      return
    }
    const versions = (await readMigrations(sqlFolder)).map(({ version }) => version)
    const file = join(
      'supabase/migrations',
      `${nextVersion(new Date(), versions)}_${migration}.sql`,
    )
    writeFileSync(file, suggested.sql)
    console.log(`Wrote ${file}. Read it, and add what happens to rows.`)
    print('Deletes something:', suggested.destructive)
    print(
      'Renamed rather than dropped and created? Then again with --rename and',
      suggested.renameCandidates,
    )
  } finally {
    await server.stop()
  }
}

function print(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`${title}\n  ${lines.join('\n  ')}`)
}
