import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '@local/postgres'

export type Migration = {
  readonly version: string
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/**
 * A migration that was applied to a database or that a backup lists. A migration that the Supabase CLI recorded has
 * no checksum.
 */
export type Applied = { readonly version: string; readonly checksum: string | null }

/** Reads the migrations of `folder` in order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const directory = join(folder, 'migrations')
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(files.map(async (file) => parseMigration(directory, file)))
}

async function parseMigration(directory: string, file: string): Promise<Migration> {
  const [, version, name] = /^(\d{14})_(\w+)\.sql$/.exec(file) ?? []
  if (!version || !name) {
    throw new StartupError(
      `The migration ${file} is misnamed: it must look like 20261121090000_what_it_does.sql.`,
    )
  }
  const sql = await readFile(join(directory, file), 'utf8')
  // A Git checkout on Windows may convert line endings. Such a conversion does not count as an edit of the file.
  const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
  return { version, name, sql, checksum }
}

/**
 * Returns the migrations that are not applied yet. Throws `StartupError` unless the applied migrations are the oldest
 * ones of `migrations`, without gaps and with unchanged files.
 */
export function findPending(
  migrations: readonly Migration[],
  applied: readonly Applied[],
): Migration[] {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]))
  for (const { version, checksum } of applied) {
    const migration = byVersion.get(version)
    if (!migration) {
      throw new StartupError(
        `The database was prepared by another, probably newer version of the site: its migration ${version} is not in supabase/migrations. Start that version, or use another database.`,
      )
    }
    if (checksum !== null && checksum !== migration.checksum) {
      throw new StartupError(
        `The migration ${version}_${migration.name}.sql was edited after this database had applied it. Restore the file and put the change into a new migration.`,
      )
    }
  }
  return inOrder(migrations, applied)
}

function inOrder(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const done = new Set(applied.map(({ version }) => version))
  const newest = applied.at(-1)?.version ?? ''
  const pending = migrations.filter(({ version }) => !done.has(version))
  const late = pending.find(({ version }) => version < newest)
  if (late) {
    throw new StartupError(
      `The migration ${late.version}_${late.name}.sql is older than ${newest}, which this database has already applied. Give it a newer timestamp, because migrations are applied in order.`,
    )
  }
  return pending
}
