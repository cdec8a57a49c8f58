import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import {
  type Applied,
  type Migration,
  readMigrations,
} from '#server/platform/database/migration-files.ts'
import { migrate, migrateTo, sqlFolder } from '#server/platform/database/migrations.ts'
import { describeSchema } from '#tests/support/database/describe-schema.ts'
import { columnToday, droppedColumns, tableToday } from '#tests/support/database/former-names.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import {
  createScratchDatabase,
  databaseFromSchema,
  type ScratchDatabase,
} from '../../../scripts/migration/scratch-databases.ts'
import { type Entry, type Header, readBackupFile, writeBackupFile } from './backup-file.ts'
import { restoreIntoServer } from './restore-backup.ts'
import { installationTables } from './take-backup.ts'

// A backup from the last version before the first release: a sample week, 2,000 appointments of 250 customers, quote
// requests, approved estimates, paid invoices, a changed setting and an erasure.
const path = join(import.meta.dirname, 'old-version.jsonl.gz')

const { ownerUrl: serverUrl } = inject('testServer')

type Row = Readonly<Record<string, unknown>>

let server: Pool
let folder: string
let rows: ReadonlyMap<string, readonly Row[]>
let header: Header
beforeAll(async () => {
  server = openPool(serverUrl, 1)
  folder = mkdtempSync(join(tmpdir(), 'torque-old-'))
  const found = new Map<string, Row[]>()
  for await (const entry of readBackupFile({ path })) {
    if (entry.kind === 'torque-and-timing backup') header = entry
    if (entry.kind === 'row') {
      const rowsOfTable = found.get(entry.table) ?? []
      rowsOfTable.push(JSON.parse(entry.row) as Row)
      found.set(entry.table, rowsOfTable)
    }
  }
  rows = found
})
afterAll(async () => {
  await server.end()
  rmSync(folder, { recursive: true, force: true })
})

async function restore(file: string): Promise<{ owner: Pool; url: string; drop(): Promise<void> }> {
  const name = `shop_old_${randomBytes(6).toString('hex')}`
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const owner = openPool(url, 1)
  const drop = async () => {
    await owner.end()
    await server.query(`drop database ${name} with (force)`)
  }
  await server.query(`create database ${name}`)
  const target = { ownerUrl: url, dataDirectory: join(folder, name), isShared: true }
  try {
    await restoreIntoServer({ path: file }, target)
  } catch (error) {
    await drop()
    throw error
  }
  return { owner, url, drop }
}

/** The tables whose rows the schema files define and whose values are names of tables, columns or record kinds. */
const rulesOfProduct = new Set([
  'internal.email_kinds',
  'internal.erasure_rules',
  'internal.merge_rules',
])

/** The current names of stored values that were renamed after the first release, by table and column. */
const renamedValues: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
> = {
  'public.emails': { status: { kept: 'in_outbox' } },
}

/** Returns the column names of a row of an old backup, without the columns that a later migration dropped. */
function columnsToday(table: string, row: Row): string[] {
  const dropped = droppedColumns[tableToday(table)] ?? []
  return Object.keys(row).filter((column) => !dropped.includes(column))
}

/** Returns the row with the current names of columns and values, as the later migrations rename them. */
function rowToday(table: string, row: Row): Row {
  const renamed = Object.fromEntries(
    columnsToday(table, row).map((column) => [columnToday(table, column), row[column]]),
  )
  const converted = Object.entries(renamedValues[table] ?? {}).map(([column, values]) => {
    const value = String(renamed[column])
    return [column, values[value] ?? renamed[column]]
  })
  const named = table === 'internal.file_cleanups' && {
    table_name: tableToday(String(renamed['table_name'])),
  }
  const job = table === 'public.kept_jobs' && { job: jobToday(renamed['job'] as StoredJob) }
  return { ...renamed, ...Object.fromEntries(converted), ...named, ...job }
}

type StoredJob = Row & { readonly lines: readonly Row[] }

/**
 * The current name of each key that a canned job (a job saved for reuse) and its lines had in the
 * first release.
 */
const jobKeys: Readonly<Record<string, string>> = {
  plainWords: 'customerDescription',
  measure: 'measurement',
  detail: 'subtype',
  thousandths: 'quantityThousandths',
  unitCents: 'unitPriceCents',
}

function jobToday(job: StoredJob): Row {
  const rename = (row: Row) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [jobKeys[key] ?? key, value]))
  return { ...rename(job), lines: job.lines.map(rename) }
}

/**
 * Returns the rows as texts in order; the keys of each object are sorted, because PostgreSQL stores them in another
 * order.
 */
const byText = (list: readonly Row[]) =>
  list.map((row) => JSON.stringify(row, withSortedKeys)).toSorted()

const withSortedKeys = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

describe('a backup from the last version before the first release', () => {
  let shop: Awaited<ReturnType<typeof restore>>
  beforeAll(async () => {
    shop = await restore(path)
  })
  afterAll(() => shop.drop())

  it('is restored with every row', async () => {
    expect(rows.get('public.bookings')?.length).toBeGreaterThan(2000)
    for (const [table, saved] of rows) {
      if (installationTables.has(table) || rulesOfProduct.has(table)) continue
      const columns = columnsToday(table, saved[0] ?? {}).map(
        (column) => `"${columnToday(table, column)}"`,
      )
      const { rows: restored } = await shop.owner.query<{ row: Row }>(
        `select row_to_json(r) as row from (select ${columns.join(', ')} from ${tableToday(table)}) r`,
      )
      expect({ table, rows: byText(restored.map(({ row }) => row)) }).toEqual({
        table,
        rows: byText(saved.map((row) => rowToday(table, row))),
      })
    }
  })

  it('gets the current schema of the schema files', async () => {
    const built = await databaseFromSchema(serverUrl)
    const isOfSchema = (line: string) => {
      const [, table] = /^row of (\S+):/.exec(line) ?? []
      return table === undefined || rulesOfProduct.has(table)
    }
    const [restored, wanted] = [
      await describeSchema(shop.owner),
      await describeSchema(built.owner),
    ].map((lines) => lines.filter(isOfSchema))
    await built.drop()
    expect(restored).toEqual(wanted)
  })
})

describe('a database from the last version before the first release', () => {
  // The first release creates the same schema as the migrations that it replaces.
  let shop: ScratchDatabase
  let migrations: readonly Migration[]
  beforeEach(async () => {
    migrations = await readMigrations(sqlFolder)
    shop = await createScratchDatabase(serverUrl, (url) => migrateTo(url, migrations.slice(0, 1)))
  })
  afterEach(() => shop.drop())

  async function readHistory(): Promise<Applied[]> {
    const { rows: history } = await shop.owner.query<Applied>(
      'select version, checksum from supabase_migrations.schema_migrations order by version',
    )
    return history
  }
  async function writeHistory(history: readonly Applied[]): Promise<void> {
    await shop.owner.query('delete from supabase_migrations.schema_migrations')
    await shop.owner.query(
      `insert into supabase_migrations.schema_migrations (version, checksum)
       select version, checksum from json_to_recordset($1) as old (version text, checksum text)`,
      [JSON.stringify(history)],
    )
  }
  const today = () => migrations.map(({ version, checksum }) => ({ version, checksum }))
  const withoutChecksums = () =>
    header.migrations.map(({ version }) => ({ version, checksum: null }))

  it('is recorded as a database of the first release, and gets the later migrations', async () => {
    await writeHistory(header.migrations)
    const applied = await migrate(shop.ownerUrl)
    expect(applied).toHaveLength(migrations.length - 1)
    expect(await readHistory()).toEqual(today())
  })

  it('is accepted even when the Supabase command line wrote its migration history', async () => {
    await writeHistory(withoutChecksums())
    await migrate(shop.ownerUrl)
    expect(await readHistory()).toEqual(today())
  })

  it.each<[string, () => readonly Applied[]]>([
    ['of an older version', () => header.migrations.slice(0, -1)],
    ['of an older version, by the command line', () => withoutChecksums().slice(0, -1)],
    ['that lacks a migration in between', () => header.migrations.toSpliced(7, 1)],
    [
      'with a migration that was edited',
      () => header.migrations.with(3, { ...header.migrations[3]!, checksum: 'f'.repeat(64) }),
    ],
    [
      'with an unknown migration',
      () => [{ version: '20260101000000', checksum: null }, ...withoutChecksums()],
    ],
  ])(
    'is refused with instructions and left unchanged when it has a history %s',
    async (_name, history) => {
      const unusual = history()
      await writeHistory(unusual)
      await expect(migrate(shop.ownerUrl)).rejects.toThrow(
        /comes from an older version .* Start version [0-9a-f]{7} on this database once \(git checkout/,
      )
      expect(await readHistory()).toEqual(unusual)
    },
  )
})

it('a backup from an older version is refused with the name of the version that can restore it', async () => {
  async function* entries(): AsyncGenerator<Entry> {
    yield { ...header, migrations: header.migrations.slice(0, 40) }
  }
  const older = join(folder, 'older.gz')
  await writeBackupFile(older, entries())
  await expect(restore(older)).rejects.toThrow(/Restore the backup with version [0-9a-f]{7} /)
})
