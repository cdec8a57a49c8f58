import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@local/embedded-postgres'
import { startServer } from '#tests/support/app/server-process.ts'
import { isSmoke } from './smoke.ts'

// Prepares the data directory of one new shop for all benches of a run, because the first start of a site costs seven
// seconds of processor time: initdb, the schema, and the first staff account. Each bench gets a copy of this data
// directory. A bench that is started without run.ts starts with an empty data directory instead.

/** The environment variable with the path of the folder that all benchmarks of one run share. */
const folderOfRun = 'BENCH_FOLDER'

/** The first staff account of every shop that the benches start. */
export const admin = { username: 'admin', password: 'correct horse battery' }

/** The settings of every shop that the benches start. */
export const shopSettings = {
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'silent',
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
}

/** Prepares the data directory of a new shop, runs the benches in `work`, and removes the folder of the run. */
export async function withPreparedShop(work: () => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'torque-bench-run-'))
  try {
    const shop = await startServer({ ...shopSettings, DATA_DIR: join(folder, 'new-shop') })
    await shop.end()
    process.env[folderOfRun] = folder
    await work()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Creates a data directory: a copy of the prepared data directory, or an empty directory when none was prepared. The
 * caller removes the directory.
 */
export function createDataDirectory(): string {
  const directory = createEmptyDirectory()
  fillDataDirectory(directory)
  return directory
}

/** Creates an empty data directory for the first start of a site. The caller removes the directory. */
export function createEmptyDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'torque-bench-'))
}

function fillDataDirectory(directory: string): void {
  const run = process.env[folderOfRun]
  if (run !== undefined) cpSync(join(run, 'new-shop'), directory, { recursive: true })
}

/** A PostgreSQL server of a bench, with the path of its data directory. */
export type BenchServer = Pick<EmbeddedPostgres, 'ownerUrl' | 'stop'> & {
  readonly dataDirectory: string
}

/**
 * Starts a PostgreSQL server whose database `postgres` is a copy of the prepared shop's database, or empty when no shop
 * was prepared.
 */
export async function startPostgres(): Promise<BenchServer> {
  const dataDirectory = createDataDirectory()
  return startOn(dataDirectory, () => rmSync(dataDirectory, { recursive: true, force: true }))
}

/**
 * Starts a PostgreSQL server like `startPostgres`. The benches of one run that pass the same name use the same data
 * directory one after the other, so a later bench finds the databases of the earlier benches. The benches of a smoke
 * run, which run at the same time, share no data directory.
 */
export async function startSharedPostgres(name: string): Promise<BenchServer> {
  const run = process.env[folderOfRun]
  if (isSmoke || run === undefined) return startPostgres()
  const dataDirectory = join(run, name)
  if (!existsSync(dataDirectory)) fillDataDirectory(dataDirectory)
  return startOn(dataDirectory, () => undefined)
}

async function startOn(dataDirectory: string, remove: () => void): Promise<BenchServer> {
  const server = await startEmbeddedPostgres({ dataDirectory })
  return {
    ownerUrl: server.ownerUrl,
    dataDirectory,
    async stop() {
      await server.stop()
      remove()
    },
  }
}

/**
 * Creates a database as a copy of `template`, to which no connection may be open; by default `postgres`, the database
 * of the prepared shop. Replaces an earlier database with the same name. Returns the URL of the new database.
 */
export async function createDatabase(
  server: BenchServer,
  name: string,
  template = 'postgres',
): Promise<string> {
  await runOnServer(server, `drop database if exists ${name} with (force)`)
  await runOnServer(server, `create database ${name} template ${template} strategy file_copy`)
  return urlOfDatabase(server, name)
}

/** Whether the PostgreSQL server has a database with this name. */
export async function hasDatabase(server: BenchServer, name: string): Promise<boolean> {
  const rows = await runOnServer(server, `select from pg_database where datname = '${name}'`)
  return rows > 0
}

/**
 * Runs a statement with a connection to `template1`, because PostgreSQL cannot copy a database to which connections are
 * open.
 */
async function runOnServer(server: BenchServer, statement: string): Promise<number> {
  const client = new Client({ connectionString: urlOfDatabase(server, 'template1') })
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

function urlOfDatabase({ ownerUrl }: BenchServer, name: string): string {
  return Object.assign(new URL(ownerUrl), { pathname: `/${name}` }).href
}
