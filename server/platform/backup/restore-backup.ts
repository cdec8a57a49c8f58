import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Client } from 'pg'
import { checkBackupFile, type FileEntry, readBackupFile, type RowEntry } from './backup-file.ts'
import { bootstrapDatabase } from '#server/platform/postgres/bootstrap-database.ts'
import { claimDataDirectory } from '#server/platform/start/data-directory.ts'
import { hasCluster } from '#server/platform/postgres/cluster.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { queryOf } from '#server/platform/database/query.ts'
import { migrate, migrateTo } from '#server/platform/database/migrations.ts'
import { StartRefused } from '#server/platform/start/start-refused.ts'
import { listTables } from './take-backup.ts'

const rowsAtOnce = 500

export type Restored = { readonly takenAt: string; readonly rows: number; readonly files: number }

/**
 * Restores `file` into a data directory without a database. Everything is made beside its place and
 * moved there when it is whole, so a restore that was cut short leaves the directory empty.
 */
export async function restoreIntoDataDirectory(
  file: string,
  dataDirectory: string,
): Promise<Restored> {
  await checkBackupFile(file)
  claimDataDirectory(dataDirectory)
  if (hasCluster(dataDirectory)) {
    throw new StartRefused(
      `DATA_DIR ${dataDirectory} already holds a database, which a restore would overwrite. Restore into an empty folder, for example DATA_DIR=./restored.`,
    )
  }
  const aside = join(resolve(dataDirectory), '.restoring')
  await rm(aside, { recursive: true, force: true })
  const server = await startEmbeddedPostgres({ dataDirectory: aside })
  try {
    const restored = await restoreIntoServer(file, server.ownerUrl, dataDirectory)
    await server.stop()
    await rename(join(aside, 'postgresql'), join(dataDirectory, 'postgresql'))
    return restored
  } finally {
    await server.stop()
    await rm(aside, { recursive: true, force: true })
  }
}

/** Restores `file` into the empty database of `ownerUrl`, and its files into `dataDirectory`. */
export async function restoreIntoServer(
  file: string,
  ownerUrl: string,
  dataDirectory: string,
): Promise<Restored> {
  const { takenAt, migrations } = await checkBackupFile(file)
  await refuseUnlessEmpty(ownerUrl)
  await bootstrapDatabase(ownerUrl)
  await migrateTo(ownerUrl, migrations)
  const rows = await withOwner(ownerUrl, (client) => loadRows(client, file))
  // The backup may be older than the code.
  await migrate(ownerUrl)
  const files = await writeFiles(file, resolve(dataDirectory))
  return { takenAt, rows, files }
}

async function withOwner<Result>(
  ownerUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'restore' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function refuseUnlessEmpty(ownerUrl: string): Promise<void> {
  const tables = await withOwner(ownerUrl, listTables)
  if (tables.length === 0) return
  throw new StartRefused(
    `The database already holds tables (${tables[0]?.name}, …), which a restore would overwrite. Restore into an empty database.`,
  )
}

/** One transaction: all of it or nothing. */
async function loadRows(client: Client, file: string): Promise<number> {
  await client.query(`set timezone = 'UTC'; begin`)
  const tables = await listTables(client)
  const columns = new Map(tables.map((table) => [table.name, table.columns]))
  const wake = await putRulesToRest(client, tables)
  // Migrations may have written rows of their own; the backup has them too.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  let count = 0
  for await (const { table, rows } of batches(file)) {
    const names = columns.get(table)
    if (names === undefined) throw new Error(`The backup has rows of ${table}, which is unknown.`)
    await client.query(
      `insert into ${table} (${names}) overriding system value
       select ${names} from json_populate_recordset(null::${table}, $1::json)`,
      [`[${rows.join(',')}]`],
    )
    count += rows.length
  }
  await setSequences(client, file)
  await wake()
  await client.query('commit')
  return count
}

/**
 * Triggers rest, because the rows were right when they were read, and foreign keys wait for the last
 * row. What the owner of the tables may do, without a superuser. Returns what ends it, and throws when
 * a row refers to one that is not there.
 */
async function putRulesToRest(
  client: Client,
  tables: readonly { readonly name: string }[],
): Promise<() => Promise<void>> {
  const query = queryOf(client)
  const foreignKeys = rowsAs<{ table: string; name: string }>(
    await query(
      `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and not k.condeferrable and format('%I.%I', n.nspname, c.relname) = any($1)`,
      [tables.map(({ name }) => name)],
    ),
  )
  const alter = async (triggers: string, keys: string) => {
    const statements = [
      ...tables.map(({ name }) => `alter table ${name} ${triggers} trigger user`),
      ...foreignKeys.map(
        ({ table, name }) => `alter table ${table} alter constraint ${name} ${keys}`,
      ),
    ]
    await client.query(statements.join('; '))
  }
  await alter('disable', 'deferrable initially deferred')
  return async () => {
    await client.query('set constraints all immediate')
    await alter('enable', 'not deferrable')
  }
}

/** Rows of one table in a row, a few hundred at a time. */
async function* batches(file: string): AsyncGenerator<{ table: string; rows: string[] }> {
  let batch: { table: string; rows: string[] } | undefined
  for await (const entry of readBackupFile(file)) {
    if (entry.kind !== 'row') continue
    if (batch && (batch.table !== entry.table || batch.rows.length === rowsAtOnce)) {
      yield batch
      batch = undefined
    }
    batch ??= { table: entry.table, rows: [] }
    batch.rows.push((entry satisfies RowEntry).row)
  }
  if (batch) yield batch
}

async function setSequences(client: Client, file: string): Promise<void> {
  for await (const entry of readBackupFile(file)) {
    if (entry.kind === 'sequence') {
      await client.query('select setval($1::regclass, $2::bigint)', [entry.name, entry.value])
    }
  }
}

async function writeFiles(file: string, dataDirectory: string): Promise<number> {
  let count = 0
  for await (const entry of readBackupFile(file)) {
    if (entry.kind !== 'file') continue
    await writeInside(dataDirectory, entry)
    count += 1
  }
  return count
}

async function writeInside(dataDirectory: string, { path, base64 }: FileEntry): Promise<void> {
  const target = resolve(dataDirectory, path)
  // A backup from elsewhere must not write outside.
  if (!target.startsWith(dataDirectory + sep)) throw new Error(`The backup names a path outside.`)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await writeFile(target, Buffer.from(base64, 'base64'), { mode: 0o600 })
}
