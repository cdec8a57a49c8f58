import { closeSync, fstatSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './account.ts'
import type { Cluster } from './cluster.ts'
import { readPostmaster } from './lock.ts'
import { prepareSocketFolder } from './socket.ts'
import { spawnWatched, type WatchedProcess } from './watchdog.ts'
import { StartupError } from '@local/postgres'

// Settings for a server that only one program uses, on a small machine: a few dozen connections, no parallel query,
// little memory while idle. PostgreSQL does not log errors of statements, because the texts of these errors quote
// personal data; the program logs the errors without these texts.
export const usualSettings = {
  listen_addresses: '127.0.0.1',
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
const defaultStartDeadlineMs = 60_000
const logLimitBytes = 1_000_000

export type Launch = {
  readonly native: string
  readonly account: Account
  readonly cluster: Cluster
  readonly directory: string
  readonly settings: Readonly<Record<string, string>>
  /** Aborting this controller ends a server that does not accept connections yet. */
  readonly stopping: AbortController
  readonly startDeadlineMs?: number | undefined
}

/** A server that accepts connections on a loopback port and on its socket. */
export type Launched = { readonly watched: WatchedProcess; readonly port: number }

/**
 * Starts a server on the cluster, on `samePort` or any free port. Tries again while another program uses the port or
 * a killed server still has its shared memory. Throws `StartupError` with the last lines of PostgreSQL's log.
 */
export async function launch(options: Launch, samePort?: number): Promise<Launched> {
  const log = join(options.directory, 'postgresql.log')
  let message = ''
  let hasSocket = true
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const port = samePort ?? (await findFreePort())
    const output = openLog(log)
    const start = fstatSync(output).size
    const watched = startServer(options, { port, hasSocket }, output)
    closeSync(output)
    if (await isReady(watched, options, port)) return { watched, port }
    message = readFileSync(log, 'utf8').slice(start)
    // Sockets cannot be created on some file systems, such as a Mac or Windows folder that is mounted into a container.
    if (message.includes('could not create any Unix-domain sockets')) hasSocket = false
    if (
      options.stopping.signal.aborted ||
      !/could not bind|could not create any Unix|still in use|is being used/i.test(message)
    )
      break
    await delay(300 * attempt)
  }
  throw explain(message, options)
}

function openLog(log: string): number {
  const output = openSync(log, 'a', 0o600)
  if (fstatSync(output).size > logLimitBytes) truncateSync(log)
  return output
}

function startServer(
  { native, account, cluster, directory, settings }: Launch,
  { port, hasSocket }: { port: number; hasSocket: boolean },
  output: number,
): WatchedProcess {
  const flags = Object.entries({
    ...settings,
    port: String(port),
    unix_socket_directories: hasSocket ? prepareSocketFolder(directory, account) : '',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const environment = serverEnvironment(process.env)
  const command = [join(native, 'bin', 'postgres'), '-D', cluster.path, ...flags]
  return spawnWatched(account, command, output, { ...environment, LC_ALL: 'C' })
}

/**
 * Returns the environment variables for the server. Excludes variables such as PGDATA, because a variable in the user's
 * shell must not change the server's settings. Also excludes the credentials of the backup storage, which the server
 * does not need.
 */
export function serverEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(PG|LC_|LANG$|TZ$|AWS_|BACKUP_)/.test(name)),
  )
}

/** The server writes the word `ready` into its lock file when it accepts connections. */
async function isReady(
  watched: WatchedProcess,
  { cluster, stopping, startDeadlineMs = defaultStartDeadlineMs }: Launch,
  port: number,
): Promise<boolean> {
  const ended = watched.exited.then(() => 'ended' as const)
  const deadline = Date.now() + startDeadlineMs
  while (Date.now() < deadline && !stopping.signal.aborted) {
    const postmaster = readPostmaster(cluster.path)
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

function explain(message: string, { directory }: Launch): Error {
  if (/lock file "postmaster.pid" already exists/.test(message)) {
    return new StartupError(
      `Another process uses the data directory ${directory}. Stop it first, or choose another data directory.`,
    )
  }
  return new StartupError(
    `The database in ${directory} did not start. Nothing was overwritten. If the database is damaged, restore a backup into an empty data directory. Message of PostgreSQL:\n${message.trim() || '(none)'}`,
  )
}
