import { closeSync, fstatSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { claimDataDirectory } from './data-directory.ts'
import { type Account, chooseAccount } from './embedded-postgres-account.ts'
import {
  copyForEveryone,
  findBinaries,
  linkLibraries,
  postgresMajor,
} from './embedded-postgres-binaries.ts'
import { type Cluster, openCluster } from './embedded-postgres-cluster.ts'
import {
  awaitRelease,
  readPostmaster,
  releaseOwner,
  takeOwnership,
} from './embedded-postgres-lock.ts'
import { spawnWatched, type Watched } from './embedded-postgres-watchdog.ts'
import { StartRefused } from './start-refused.ts'

export type EmbeddedPostgres = {
  /** Logs in as the superuser of the cluster, to its database `postgres`. */
  readonly ownerUrl: string
  /** Resolves when the server has ended, whether it was told to or not. */
  readonly exited: Promise<unknown>
  /** A fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** The shop's data directory; made when missing. */
  readonly dataDirectory: string
  /** False for tests only: a power cut may then destroy the database. */
  readonly durable?: boolean
  /** Server settings beside the usual ones. */
  readonly settings?: Readonly<Record<string, string>>
  /** For tests: overrides the choice of the account, and where the programs lie. */
  readonly account?: Account
  readonly native?: string
  /** For tests: where root keeps a copy of the programs that every account can reach. */
  readonly openPrograms?: string
  /** How long the server of a site that died may take to end, before it is pushed. */
  readonly patienceMs?: number
}

// One shop on a small machine: a few dozen connections, no parallel query, little memory at rest.
// Errors are not logged by PostgreSQL, because their words quote what customers typed; the site logs
// them without.
const usualSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '32MB',
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '1',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

const attempts = 5
const startDeadlineMs = 60_000
const logLimitBytes = 1_000_000

/**
 * Starts the PostgreSQL that comes with the site on the cluster in `dataDirectory`, on a free loopback
 * port. It ends with this process, even if that is killed. Throws `StartRefused` when the directory is
 * in use, damaged, or somebody else's; nothing in it is changed then.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new StartRefused(
      'The embedded PostgreSQL runs on Linux and macOS. On Windows use WSL, or set DATABASE_URL to a PostgreSQL server.',
    )
  }
  const directory = resolve(options.dataDirectory)
  claimDataDirectory(directory)
  const installed = options.native ?? findBinaries()
  const linked = linkLibraries(installed, join(directory, `postgresql-${postgresMajor}-programs`))
  const account = options.account ?? chooseAccount(linked, directory)
  const native = account.needsOpenPrograms ? copyForEveryone(linked, options.openPrograms) : linked
  const { durable = true, patienceMs = 15_000 } = options
  const cluster = await openCluster({ native, account, directory, durable })
  await awaitRelease(directory, cluster.path, patienceMs)
  const settings = { ...usualSettings, fsync: durable ? 'on' : 'off', ...options.settings }
  const { watched, port } = await launch({ native, account, cluster, directory, settings })
  takeOwnership(directory)
  return {
    ownerUrl: `postgresql://postgres:${cluster.password}@127.0.0.1:${port}/postgres`,
    exited: watched.exited,
    async stop() {
      await endServer(watched, cluster.path, patienceMs)
      releaseOwner(directory)
    },
  }
}

type Launch = {
  readonly native: string
  readonly account: Account
  readonly cluster: Cluster
  readonly directory: string
  readonly settings: Readonly<Record<string, string>>
}

/** Tries again when the port was taken meanwhile or the memory of a killed server is still held. */
async function launch(options: Launch): Promise<{ watched: Watched; port: number }> {
  const log = join(options.directory, 'postgresql.log')
  let words = ''
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const port = await findFreePort()
    const output = openLog(log)
    const start = fstatSync(output).size
    const watched = startServer(options, port, output)
    closeSync(output)
    if (await isReady(watched, options.cluster.path, port)) return { watched, port }
    words = readFileSync(log, 'utf8').slice(start)
    if (!/could not bind|still in use|is being used/i.test(words)) break
    await delay(300 * attempt)
  }
  throw explain(words, options)
}

function openLog(log: string): number {
  const output = openSync(log, 'a', 0o600)
  if (fstatSync(output).size > logLimitBytes) truncateSync(log)
  return output
}

function startServer(
  { native, account, cluster, settings }: Launch,
  port: number,
  output: number,
): Watched {
  const flags = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // PGDATA and its like in the owner's shell must not lead the server elsewhere.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG$|TZ$)/.test(name)),
  )
  const command = [join(native, 'bin', 'postgres'), '-D', cluster.path, ...flags]
  return spawnWatched(account, command, output, { ...environment, LC_ALL: 'C' })
}

/** The watchdog passes the wish on; should its reader be gone, we ask the server ourselves. */
async function endServer(watched: Watched, cluster: string, patienceMs: number): Promise<void> {
  const ended = watched.stop().then(() => true)
  if (await Promise.race([ended, delay(patienceMs, false, { ref: false })])) return
  const postmaster = readPostmaster(cluster)
  if (postmaster) process.kill(postmaster.pid, 'SIGINT')
  await ended
}

/** The server writes `ready` into its lock file once it takes connections. */
async function isReady(watched: Watched, cluster: string, port: number): Promise<boolean> {
  const ended = watched.exited.then(() => 'ended' as const)
  const deadline = Date.now() + startDeadlineMs
  while (Date.now() < deadline) {
    const postmaster = readPostmaster(cluster)
    if (postmaster?.port === port && postmaster.status === 'ready') return true
    if ((await Promise.race([ended, delay(15)])) === 'ended') return false
  }
  await watched.stop()
  return false
}

function findFreePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer()
    probe.once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function explain(words: string, { directory }: Launch): Error {
  if (/lock file "postmaster.pid" already exists/.test(words)) {
    return new StartRefused(
      `Another copy of the site is using DATA_DIR ${directory}. Stop it first, or give this one a DATA_DIR of its own.`,
    )
  }
  return new StartRefused(
    `The database in ${directory} did not start. Nothing was overwritten; restore a backup into an empty DATA_DIR if it is damaged. PostgreSQL said:\n${words.trim() || '(nothing)'}`,
  )
}
