import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { type Query, queryOf, rowsAs } from '@local/postgres'
import { listTables, type Table } from '#server/platform/storage/shop-tables.ts'

/**
 * The checksums of a database at one position of its write-ahead log. Databases with equal checksums have equal
 * content.
 */
export type Mark = {
  /** The position in the write-ahead log in PostgreSQL's notation, such as '0/3000148'. */
  readonly position: string
  /** A checksum of the columns, constraints and functions of the database schema. */
  readonly catalog: string
  readonly tables: readonly TableMark[]
  /** The sum of all payments, refunds and reversals in cents. */
  readonly ledgerCents: string
}

export type TableMark = {
  readonly name: string
  readonly rows: number
  /** A checksum of all values in all rows of a table. */
  readonly checksum: string
}

/** The maximum number of attempts to find a moment without an open transaction. An attempt takes a few milliseconds. */
const attempts = 500
const pauseMs = 20

/**
 * Reads the running database as of exactly one position of its write-ahead log. To find that position, waits for a
 * moment in which no transaction is open. The shop can be used in the meantime.
 */
export async function takeMark(client: Client): Promise<Mark> {
  const position = await beginAtPosition(client)
  try {
    return { position, ...(await readContent(client)) }
  } finally {
    await client.query('commit')
  }
}

/** Reads the row counts and checksums of a database whose content does not change during the call. */
export async function readContent(client: Client): Promise<Omit<Mark, 'position'>> {
  const tables = await readTables(client, await listTables(client))
  return { catalog: await readCatalog(client), tables, ledgerCents: await readLedger(client) }
}

/** Counts the rows of every table and computes their checksums. */
export async function readTables(client: Client, listed: readonly Table[]): Promise<TableMark[]> {
  const tables: TableMark[] = []
  for (const { name, source } of listed) {
    const { rows } = await client.query<{ rows: string; checksum: string }>(
      `select count(*)::text as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as checksum from ${source} t`,
    )
    tables.push({ name, rows: Number(rows[0]?.rows), checksum: rows[0]?.checksum ?? '' })
  }
  return tables
}

async function beginAtPosition(client: Client): Promise<string> {
  const query = queryOf(client)
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await readPosition(query)
    // If no transaction is open, every later commit gets a later position. Equal positions before and after this check
    // therefore mean that nothing was committed in between. The transaction snapshot alone does not prove this, because
    // the snapshot omits the open transaction with the newest id.
    const isQuiet = await hasNoTransaction(query)
    await client.query('begin isolation level repeatable read read only')
    const position = await readPosition(query)
    if (isQuiet && position === before) return position
    await client.query('rollback')
    await delay(pauseMs)
  }
  throw new Error(
    'The database always had an open transaction, so the restore drill could not record the state to compare.',
  )
}

async function readPosition(query: Query): Promise<string> {
  const [row] = rowsAs<{ position: string }>(
    await query('select pg_current_wal_insert_lsn()::text as position'),
  )
  return row?.position ?? ''
}

/** Whether no connection has an open transaction that has made a change. */
async function hasNoTransaction(query: Query): Promise<boolean> {
  const [row] = rowsAs<{ is_quiet: boolean }>(
    await query(
      'select not exists (select from pg_stat_activity where backend_xid is not null) as is_quiet',
    ),
  )
  return row?.is_quiet === true
}

async function readCatalog(client: Client): Promise<string> {
  const query = queryOf(client)
  const [row] = rowsAs<{ checksum: string }>(
    await query(
      `select md5(string_agg(line, chr(10) order by line collate "C")) as checksum from (
         select format('%s.%s %s %s', c.relnamespace::regnamespace, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as line
         from pg_attribute a join pg_class c on c.oid = a.attrelid
         where a.attnum > 0 and not a.attisdropped and c.relnamespace::regnamespace::text !~ '^pg_'
         union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0
         union all select oid::regprocedure || ' ' || md5(prosrc) from pg_proc
         where pronamespace::regnamespace::text !~ '^pg_'
       ) lines`,
    ),
  )
  return row?.checksum ?? ''
}

async function readLedger(client: Client): Promise<string> {
  const query = queryOf(client)
  const [row] = rowsAs<{ cents: string }>(
    await query('select coalesce(sum(amount_cents), 0)::text as cents from public.payments'),
  )
  return row?.cents ?? ''
}

/**
 * Returns the names of the parts in which two databases differ: table names, 'ledger' for the sum of the payments, and
 * 'catalog' for the columns, constraints and functions.
 */
export function compareMarks(expected: Mark, found: Omit<Mark, 'position'>): string[] {
  const differing = compareTables(expected.tables, found.tables)
  if (expected.ledgerCents !== found.ledgerCents) differing.push('ledger')
  if (expected.catalog !== found.catalog) differing.push('catalog')
  return differing
}

/** Returns the names of the tables whose content differs, and of the tables that only one of the databases has. */
export function compareTables(
  expected: readonly TableMark[],
  found: readonly TableMark[],
): string[] {
  const [one, other] = [byName(expected), byName(found)]
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].filter(
    (name) =>
      one.get(name)?.rows !== other.get(name)?.rows ||
      one.get(name)?.checksum !== other.get(name)?.checksum,
  )
}

const byName = (tables: readonly TableMark[]) => new Map(tables.map((table) => [table.name, table]))
