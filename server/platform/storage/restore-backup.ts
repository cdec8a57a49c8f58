import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Client } from 'pg'
import {
  type BackupFile,
  checkBackupFile,
  type Entry,
  type FileEntry,
  type Header,
  readBackupFile,
  type SequenceEntry,
} from './backup-file.ts'
import { type LinksAfter, replaceKeys } from './replace-keys.ts'
import { bootstrapDatabase } from '#server/platform/database/bootstrap-database.ts'
import { hasCluster, startEmbeddedPostgres } from '@local/embedded-postgres'
import { claimDataDirectory } from '#server/platform/database/data-directory.ts'
import { queryOf, rowsAs, StartupError } from '@local/postgres'
import { mailedLinks } from '#server/platform/keys/open-keys.ts'
import { withOwner } from '#server/platform/database/with-owner.ts'
import { migrate, migrateTo } from '#server/platform/database/migrations.ts'
import { findOwnerWithoutPassword } from './owner-without-password.ts'
import { listTables } from './shop-tables.ts'
import { installationTables, isOfInstallation } from './take-backup.ts'

const rowsAtOnce = 500

export type Restored = {
  readonly takenAt: string
  readonly rows: number
  readonly files: number
  readonly links: LinksAfter
  readonly ownerWithoutPassword: string | undefined
}

type Target = {
  readonly ownerUrl: string
  readonly dataDirectory: string
  /** Whether processes on other machines may use this database. */
  readonly isShared: boolean
}

/**
 * Restores the backup `file` into a data directory without a database. Restores the database in a temporary folder and
 * moves the database when the restore is complete, so that an interrupted restore leaves no database in the data
 * directory.
 */
export async function restoreIntoDataDirectory(
  file: BackupFile,
  dataDirectory: string,
): Promise<Restored> {
  await checkBackupFile(file)
  claimDataDirectory(dataDirectory)
  if (hasCluster(dataDirectory)) {
    throw new StartupError(
      `DATA_DIR ${dataDirectory} already contains a database, which a restore would overwrite. Restore into an empty folder, for example DATA_DIR=./restored.`,
    )
  }
  const aside = join(resolve(dataDirectory), '.restoring')
  await rm(aside, { recursive: true, force: true })
  const server = await startEmbeddedPostgres({ dataDirectory: aside })
  try {
    const target = { ownerUrl: server.ownerUrl, dataDirectory, isShared: false }
    const restored = await restoreIntoServer(file, target)
    await server.stop()
    await rename(join(aside, 'postgresql'), join(dataDirectory, 'postgresql'))
    return restored
  } finally {
    await server.stop()
    await rm(aside, { recursive: true, force: true })
  }
}

/**
 * Restores the database in the backup `file` into the empty database of `ownerUrl`, and its files into
 * `dataDirectory`. Afterwards, nobody is signed in, and all keys are new except the key that signs mailed links.
 */
export async function restoreIntoServer(
  file: BackupFile,
  { ownerUrl, dataDirectory, isShared }: Target,
): Promise<Restored> {
  const { takenAt, migrations } = await checkBackupFile(file)
  await refuseUnlessEmpty(ownerUrl)
  const read = () => readBackupFile(file)
  const { rows, formerLinkKey } = await loadRecords(ownerUrl, migrations, read)
  // The backup may come from an older version of the site, so the newer migrations are applied to its schema.
  await migrate(ownerUrl)
  const files = await writeFiles(file, resolve(dataDirectory))
  const links = await replaceKeys({ ownerUrl, dataDirectory, isShared }, formerLinkKey)
  const ownerWithoutPassword = await withOwner(ownerUrl, 'restore', findOwnerWithoutPassword)
  return { takenAt, rows, files, links, ownerWithoutPassword }
}

/**
 * Creates the schema of the backed-up database in the empty database of `ownerUrl`, and loads the rows and sequences of
 * the backup. `read` yields the entries of the backup.
 */
export async function loadRecords(
  ownerUrl: string,
  migrations: Header['migrations'],
  read: () => AsyncIterable<Entry>,
): Promise<Loaded> {
  await bootstrapDatabase(ownerUrl)
  await migrateTo(ownerUrl, migrations)
  return withOwner(ownerUrl, 'restore', (client) => loadRows(client, read))
}

async function refuseUnlessEmpty(ownerUrl: string): Promise<void> {
  const tables = await withOwner(ownerUrl, 'restore', listTables)
  if (tables.length === 0) return
  throw new StartupError(
    `The database already contains tables (${tables[0]?.name}, …), which a restore would overwrite. Restore into an empty database.`,
  )
}

type Loaded = {
  readonly rows: number
  /** The key that signs mailed links, if the backup was made by an earlier version of the site and contains the key. */
  readonly formerLinkKey: string | undefined
}

/** Inserts all rows of the backup in one transaction. */
async function loadRows(client: Client, read: () => AsyncIterable<Entry>): Promise<Loaded> {
  await client.query(`set timezone = 'UTC'; begin`)
  const tables = await listTables(client)
  const columns = new Map(tables.map((table) => [table.name, table.columns]))
  const restoreRules = await suspendRules(client, tables)
  // The tables are emptied first, because the migrations may already have inserted rows that the backup also contains.
  // The cascade also empties unlogged tables, which no backup contains and whose rows may refer to rows of the emptied
  // tables.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`)
  let count = 0
  let formerLinkKey: string | undefined
  const sequences: SequenceEntry[] = []
  for await (const { table, rows } of batches(read(), sequences)) {
    if (installationTables.has(table)) {
      formerLinkKey ??= findLinkKey(table, rows)
      continue
    }
    const names = columns.get(table)
    if (names === undefined)
      throw new Error(
        `The backup contains rows of the table ${table}, which this version of the site does not have.`,
      )
    await client.query(
      `insert into ${table} (${names}) overriding system value
       select ${names} from json_populate_recordset(null::${table}, $1::json)`,
      [`[${rows.join(',')}]`],
    )
    count += rows.length
  }
  for (const { name, value } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint)', [name, value])
  }
  await restoreRules()
  await client.query('commit')
  return { rows: count, formerLinkKey }
}

function findLinkKey(table: string, rows: readonly string[]): string | undefined {
  if (table !== 'internal.secrets') return undefined
  const secrets = rows.map((row) => JSON.parse(row) as { name: string; value: string })
  return secrets.find(({ name }) => name === mailedLinks)?.value
}

/**
 * Disables triggers, because the saved rows already contain the results of the triggers, and defers foreign keys
 * until the last row is inserted. The owner of the tables may do this without superuser rights. Returns a function
 * that enables the triggers and foreign keys again. That function throws when a row refers to a missing row.
 */
async function suspendRules(
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

/**
 * Yields groups of up to a few hundred consecutive rows of one table, so that one statement inserts each group. Adds
 * the sequences of the backup to `sequences`.
 */
async function* batches(
  entries: AsyncIterable<Entry>,
  sequences: SequenceEntry[],
): AsyncGenerator<{ table: string; rows: string[] }> {
  let batch: { table: string; rows: string[] } | undefined
  for await (const entry of entries) {
    if (entry.kind === 'sequence') sequences.push(entry)
    if (entry.kind !== 'row') continue
    if (batch && (batch.table !== entry.table || batch.rows.length === rowsAtOnce)) {
      yield batch
      batch = undefined
    }
    batch ??= { table: entry.table, rows: [] }
    batch.rows.push(entry.row)
  }
  if (batch) yield batch
}

async function writeFiles(file: BackupFile, dataDirectory: string): Promise<number> {
  let count = 0
  for await (const entry of readBackupFile(file)) {
    if (entry.kind !== 'file') continue
    if (await writeInside(dataDirectory, entry)) count += 1
  }
  return count
}

/**
 * Writes a file of the backup and returns true. Returns false for a file that belongs to the installation, such as a
 * key, because a restore never overwrites such files.
 */
async function writeInside(dataDirectory: string, { path, base64 }: FileEntry): Promise<boolean> {
  const target = resolve(dataDirectory, path)
  // A forged backup must not write a file outside the data directory.
  if (!target.startsWith(dataDirectory + sep))
    throw new Error('The backup contains a file path outside the data directory.')
  if (isOfInstallation(relative(dataDirectory, target))) return false
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await writeFile(target, Buffer.from(base64, 'base64'), { mode: 0o600 })
  return true
}
