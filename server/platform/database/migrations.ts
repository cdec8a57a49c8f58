import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { StartRefused } from '#server/platform/start/start-refused.ts'
import { queryOf } from './query.ts'

/** The folder with `migrations/`, `seed.sql` and `bootstrap.sql`. */
export const sqlFolder = join(import.meta.dirname, '../../../supabase')

type Migration = {
  readonly version: string
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** A migration that a database or a backup has behind it. Rows of the hosted command line have no checksum. */
export type Applied = { readonly version: string; readonly checksum: string | null }

/** Any constant will do; all processes of the shop must agree on it. */
const migrationLock = 20261121

// The table is the one the hosted project's command line keeps, so that either can go on where the
// other stopped. `checksum` is ours: rows that it wrote have none and are not compared.
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
 * Brings the database that `ownerUrl` names up to this version of the code: new migrations in order,
 * each in its own transaction, then the seed if the database was new. Several processes may call it
 * at once; the others wait for the first.
 *
 * Returns the names applied now. Throws `StartRefused` when the database and the code disagree.
 */
export async function migrate(ownerUrl: string, folder = sqlFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return withLock(ownerUrl, async (client) => {
    await client.query(historyTables)
    const pending = findPending(migrations, await readApplied(client))
    for (const migration of pending) {
      await apply(client, migration, migration === migrations[0])
    }
    await seedWhenNew(client, folder)
    // Data services that serve this database, ours or a hosted project's, read its schema again.
    if (pending.length > 0) await client.query(`notify pgrst, 'reload schema'`)
    return pending.map(({ version, name }) => `${version}_${name}`)
  })
}

/**
 * Brings an empty database to where a backup was taken, without the seed: exactly the migrations in
 * `applied`. Throws `StartRefused` when the code does not know them.
 */
export async function migrateTo(ownerUrl: string, applied: readonly Applied[]): Promise<void> {
  const migrations = await readMigrations(sqlFolder)
  const later = new Set(findPending(migrations, applied))
  await withLock(ownerUrl, async (client) => {
    await client.query(historyTables)
    for (const migration of migrations) {
      if (!later.has(migration)) await apply(client, migration, false)
    }
    await client.query(
      `insert into supabase_migrations.seed_files values ('supabase/seed.sql', 'restored')`,
    )
  })
}

/** The migrations that the database of `client` has behind it, in order. */
export async function readApplied(client: Client): Promise<Applied[]> {
  const query = queryOf(client)
  return query(
    'select version, checksum from supabase_migrations.schema_migrations order by version',
  )
}

/** Runs `work` on one connection of the owner while no other process migrates. */
export async function withLock<Result>(
  ownerUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'migrations' })
  // A connection that breaks rejects the query that is under way; nothing more to do here.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set client_min_messages = warning; set timezone = 'UTC';
      set search_path = public, extensions; select pg_advisory_lock(${migrationLock})`)
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const directory = join(folder, 'migrations')
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(files.map(async (file) => parseMigration(directory, file)))
}

async function parseMigration(directory: string, file: string): Promise<Migration> {
  const [, version, name] = /^(\d{14})_(\w+)\.sql$/.exec(file) ?? []
  if (!version || !name) {
    throw new StartRefused(
      `The migration ${file} is misnamed: it must look like 20261121090000_what_it_does.sql.`,
    )
  }
  const sql = await readFile(join(directory, file), 'utf8')
  // A checkout on Windows may turn line ends; that is no edit.
  const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
  return { version, name, sql, checksum }
}

function findPending(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  for (const { version, checksum } of applied) {
    const migration = known.get(version)
    if (!migration) {
      throw new StartRefused(
        `The database was prepared by another, probably newer version of the site: its migration ${version} is not in supabase/migrations. Start that version, or use another database.`,
      )
    }
    if (checksum !== null && checksum !== migration.checksum) {
      throw new StartRefused(
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
    throw new StartRefused(
      `The migration ${late.version}_${late.name}.sql is older than ${newest}, which this database has already applied. Give it a newer time stamp: migrations only go forward.`,
    )
  }
  return pending
}

async function apply(client: Client, migration: Migration, isFirst: boolean): Promise<void> {
  const { version, name, sql, checksum } = migration
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query(
      'insert into supabase_migrations.schema_migrations (version, name, statements, checksum) values ($1, $2, $3, $4)',
      [version, name, [sql], checksum],
    )
    if (isFirst) {
      // Remembers, crash or not, that this database was new and wants the seed.
      await client.query(
        `insert into supabase_migrations.seed_files values ('supabase/seed.sql', 'pending') on conflict do nothing`,
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw describe(error, `supabase/migrations/${version}_${name}.sql`, sql)
  }
}

async function seedWhenNew(client: Client, folder: string): Promise<void> {
  const sql = await readFile(join(folder, 'seed.sql'), 'utf8').catch(() => undefined)
  if (sql === undefined) return
  await client.query('begin')
  try {
    const { rowCount } = await client.query(
      `update supabase_migrations.seed_files set hash = $1 where path = 'supabase/seed.sql' and hash = 'pending'`,
      [createHash('sha256').update(sql).digest('hex')],
    )
    if (rowCount) await client.query(sql)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw describe(error, 'supabase/seed.sql', sql)
  }
}

/** PostgreSQL says at which character a script failed; a person wants the line. */
export function describe(error: unknown, file: string, sql: string): unknown {
  if (!(error instanceof DatabaseError)) return error
  const line = error.position ? sql.slice(0, Number(error.position)).split('\n').length : undefined
  const where = line ? `${file}:${line}` : file
  return new Error(`${where}: ${error.message}${error.hint ? ` (${error.hint})` : ''}`, {
    cause: error,
  })
}
