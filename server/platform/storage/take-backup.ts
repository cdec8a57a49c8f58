import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Client } from 'pg'
import type { Entry } from './backup-file.ts'
import { queryOf, rowsAs } from '@local/postgres'
import { readApplied } from '#server/platform/database/migrations.ts'
import { type Backend, listSequences, listTablesOf, type Table } from './shop-tables.ts'

const rowsAtOnce = 500

// The pattern for file names ignores letter case, because the file systems of macOS and Windows do.
const installationFiles =
  /^(postgresql|keys|running\.json|torque-and-timing\.json|backups|\.restoring)/i

/**
 * Whether a file of the data directory belongs to this installation instead of the shop's records. Backups omit such
 * files.
 */
export const isOfInstallation = (path: string): boolean => installationFiles.test(path)

/**
 * The tables that only this installation may use: keys, sign-in sessions, and tokens that grant access by themselves.
 * Backups omit the rows of these tables. A restore leaves the tables empty, even if an older backup contains rows.
 */
export const installationTables: ReadonlySet<string> = new Set([
  'auth.refresh_tokens',
  'auth.sessions',
  'internal.admin_data_sessions',
  'internal.admin_sessions',
  'internal.calendar_feed',
  'internal.known_browsers',
  'internal.secrets',
  'internal.sign_in_codes',
  'internal.tablet_attempts',
  'internal.tablet_data_sessions',
  'internal.tablet_pins',
  'internal.tablets',
  'public.staff_invitations',
])

/**
 * Yields every row of the shop's tables and every sequence as of one moment, and then the files of the data
 * directory, while the site is in use. The files are read after the database, so that no row refers to a missing
 * file.
 */
export async function* takeBackup(
  ownerUrl: string,
  dataDirectory: string,
  backend: Backend = 'own',
): AsyncGenerator<Entry> {
  const client = await openSnapshot(ownerUrl)
  try {
    yield* readRecords(client, backend)
    await client.query('commit')
  } finally {
    await client.end()
  }
  yield* readFiles(dataDirectory)
}

/** The connection settings with which every PostgreSQL server converts the same value to the same text. */
export const textSettings = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 3`

/**
 * Connects to the database and begins a transaction that sees the data as of one moment. The caller must close the
 * connection.
 */
export async function openSnapshot(ownerUrl: string): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'backup' })
  client.on('error', () => undefined)
  await client.connect()
  // The transaction has no time limit, because writing the backup may take longer than the server allows. If a
  // row-level security policy would hide rows from this login, PostgreSQL reports an error, so that no backup
  // silently lacks rows.
  await client.query(`${textSettings}; set statement_timeout = 0; set row_security = off;
    set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read read only`)
  return client
}

/** Yields a header, and then every row and sequence of the shop's records. */
export async function* readRecords(client: Client, backend: Backend): AsyncGenerator<Entry> {
  yield {
    kind: 'torque-and-timing backup',
    format: 1,
    takenAt: new Date().toISOString(),
    migrations: await readApplied(client),
  }
  for (const table of await listTablesOf(client, backend)) {
    if (!installationTables.has(table.name)) yield* readRows(client, table)
  }
  yield* readSequences(client, backend)
}

async function* readRows(client: Client, { name, columns, source }: Table): AsyncGenerator<Entry> {
  await client.query(
    `declare all_rows no scroll cursor for select row_to_json(r)::text as row from (select ${columns} from ${source} t) r`,
  )
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${rowsAtOnce} from all_rows`)
    for (const { row } of rows) yield { kind: 'row', table: name, row }
    if (rows.length < rowsAtOnce) break
  }
  await client.query('close all_rows')
}

async function* readSequences(client: Client, backend: Backend): AsyncGenerator<Entry> {
  const query = queryOf(client)
  for (const name of await listSequences(client, backend)) {
    const [state] = rowsAs<{ value: string | null }>(
      await query('select pg_sequence_last_value($1::regclass)::text as value', [name]),
    )
    if (state?.value) yield { kind: 'sequence', name, value: state.value }
  }
}

async function* readFiles(dataDirectory: string): AsyncGenerator<Entry> {
  if (!existsSync(dataDirectory)) return
  const entries = await readdir(dataDirectory, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = relative(dataDirectory, join(entry.parentPath, entry.name))
    if (!entry.isFile() || isOfInstallation(path)) continue
    yield { kind: 'file', path, base64: await readFile(join(dataDirectory, path), 'base64') }
  }
}
