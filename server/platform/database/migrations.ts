import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { withOwner } from './with-owner.ts'
import { buildSchema } from './build-schema.ts'
import { asSquashed } from './first-release.ts'
import { type Applied, findPending, type Migration, readMigrations } from './migration-files.ts'
import { queryOf } from '@local/postgres'

/** The folder with `schemas/`, `migrations/`, `seed.sql` and `bootstrap.sql`. */
export const sqlFolder = join(import.meta.dirname, '../../../supabase')

/** The key of the advisory lock for migrations; an arbitrary constant that is the same in all processes. */
const migrationLock = 20261121

// The tables in which the Supabase command line records applied migrations. The site uses the same tables, so that the
// site and the command line can both apply migrations. The site adds only the column `checksum`. Rows that the command
// line wrote have no checksum and are not compared.
const historyTables = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
  alter table supabase_migrations.schema_migrations add column if not exists checksum text;
  create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null);
  alter table supabase_migrations.schema_migrations enable row level security;
  alter table supabase_migrations.seed_files enable row level security;`

/**
 * Updates the database of `ownerUrl` to this version of the code. A new database is built from the schema files and
 * seeded; an existing database gets the new migrations in order, each in its own transaction. Several processes may
 * call this function at the same time; one process updates the database, and the others wait. Returns the names of the
 * applied migrations. Throws `StartupError` when the migrations that were applied to the database do not match those of
 * the code.
 */
export async function migrate(ownerUrl: string, folder = sqlFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return withLock(ownerUrl, async (client) => {
    await client.query(historyTables)
    const recorded = await readApplied(client)
    const isNew = recorded.length === 0
    const added = isNew
      ? await build(client, folder, migrations)
      : await update(client, migrations, recorded)
    await seedWhenNew(client, folder)
    // Makes every REST API that uses this database, embedded or hosted, reload the schema.
    if (added.length > 0) await client.query(`notify pgrst, 'reload schema'`)
    return added.map(({ version, name }) => `${version}_${name}`)
  })
}

/**
 * Applies exactly the migrations in `applied` to an empty database, without the seed, before a backup is restored.
 * Throws `StartupError` when the code does not contain all of them.
 */
export async function migrateTo(
  ownerUrl: string,
  applied: readonly Applied[],
  folder = sqlFolder,
): Promise<void> {
  const migrations = await readMigrations(folder)
  const later = new Set(findPending(migrations, asSquashed('backup', applied, migrations)))
  await withLock(ownerUrl, async (client) => {
    await client.query(historyTables)
    for (const migration of migrations) {
      if (!later.has(migration)) await apply(client, migration)
    }
    await client.query(
      `insert into supabase_migrations.seed_files values ('supabase/seed.sql', 'restored')`,
    )
  })
}

/** Reads the migrations that were applied to the database of `client`, in order. */
export async function readApplied(client: Client): Promise<Applied[]> {
  const query = queryOf(client)
  return query(
    'select version, checksum from supabase_migrations.schema_migrations order by version',
  )
}

/** Runs `work` on one connection of the database owner while no other process migrates. */
export async function withLock<Result>(
  ownerUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withOwner(ownerUrl, 'migrations', async (client) => {
    await client.query(`set client_min_messages = warning; set timezone = 'UTC';
      set search_path = public, extensions; select pg_advisory_lock(${migrationLock})`)
    return work(client)
  })
}

/** Builds a new database in one transaction and records every migration as applied. */
async function build(
  client: Client,
  folder: string,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  await inTransaction(client, async () => {
    await buildSchema(client, folder)
    for (const migration of migrations) await record(client, migration)
    // Records that the database is new. If this process crashes before it applies the seed, the next start applies the
    // seed.
    await client.query(
      `insert into supabase_migrations.seed_files values ('supabase/seed.sql', 'pending')`,
    )
  })
  return migrations
}

async function update(
  client: Client,
  migrations: readonly Migration[],
  recorded: readonly Applied[],
): Promise<readonly Migration[]> {
  const applied = asSquashed('database', recorded, migrations)
  const pending = findPending(migrations, applied)
  if (applied !== recorded) await replaceHistory(client, migrations, applied)
  for (const migration of pending) await apply(client, migration)
  return pending
}

async function replaceHistory(
  client: Client,
  migrations: readonly Migration[],
  applied: readonly Applied[],
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query('delete from supabase_migrations.schema_migrations')
    for (const migration of migrations) {
      if (applied.some(({ version }) => version === migration.version)) {
        await record(client, migration)
      }
    }
  })
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const { version, name, sql } = migration
  try {
    await inTransaction(client, async () => {
      await client.query(sql)
      await record(client, migration)
    })
  } catch (error) {
    throw describe(error, `supabase/migrations/${version}_${name}.sql`, sql)
  }
}

async function record(client: Client, migration: Migration): Promise<void> {
  const { version, name, sql, checksum } = migration
  await client.query(
    'insert into supabase_migrations.schema_migrations (version, name, statements, checksum) values ($1, $2, $3, $4)',
    [version, name, [sql], checksum],
  )
}

async function seedWhenNew(client: Client, folder: string): Promise<void> {
  const sql = await readFile(join(folder, 'seed.sql'), 'utf8').catch(() => undefined)
  if (sql === undefined) return
  try {
    await inTransaction(client, async () => {
      const { rowCount } = await client.query(
        `update supabase_migrations.seed_files set hash = $1 where path = 'supabase/seed.sql' and hash = 'pending'`,
        [createHash('sha256').update(sql).digest('hex')],
      )
      if (rowCount) await client.query(sql)
    })
  } catch (error) {
    throw describe(error, 'supabase/seed.sql', sql)
  }
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Adds the line to an error of a script. PostgreSQL reports the position of an error only as a number of characters in
 * the script.
 */
export function describe(error: unknown, file: string, sql: string): unknown {
  if (!(error instanceof DatabaseError)) return error
  const line = error.position ? sql.slice(0, Number(error.position)).split('\n').length : undefined
  const where = line ? `${file}:${line}` : file
  return new Error(`${where}: ${error.message}${error.hint ? ` (${error.hint})` : ''}`, {
    cause: error,
  })
}
