import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Account, changeOwner, isOwnedBy } from './account.ts'
import { postgresMajor } from './binaries.ts'
import { readPostmaster } from './lock.ts'
import { urlOfServer } from './socket.ts'
import { spawnWatched } from './watchdog.ts'
import { isAlive, isRunning } from './running-process.ts'
import { StartupError } from '@local/postgres'

/** The path of a database cluster and the password of its superuser `postgres`. */
export type Cluster = { readonly path: string; readonly password: string }

export type ClusterOptions = {
  readonly native: string
  readonly account: Account
  readonly directory: string
  /** Whether PostgreSQL waits until its writes are on disk; false only in tests. */
  readonly durable: boolean
}

/**
 * Opens the cluster in `directory/postgresql`, or creates it on the first start. The first start creates the cluster
 * under another name and then renames it, so that an interrupted start leaves no incomplete database at that path.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const home = join(options.directory, 'postgresql')
  removeUnfinished(options.directory)
  if (!existsSync(home)) await createCluster(options, home)
  checkCluster(home)
  allowEntry(options, home)
  const path = join(home, 'cluster')
  if (!isOwnedBy(options.account, path)) changeOwner(options.account, path)
  return { path, password: readFileSync(join(home, 'password'), 'utf8').trim() }
}

/** Returns whether `directory` contains a database cluster. */
export function hasCluster(directory: string): boolean {
  return existsSync(join(directory, 'postgresql'))
}

/**
 * Finds the superuser's connection URL for the server that another process runs on `directory`; undefined when no
 * server runs. Only a user who can read the password file gets the URL.
 */
export function findRunningServer(directory: string): string | undefined {
  const home = join(directory, 'postgresql')
  const postmaster = readPostmaster(join(home, 'cluster'))
  if (postmaster?.status !== 'ready' || !isRunning(postmaster.pid, 'postgres')) return undefined
  const password = readFileSync(join(home, 'password'), 'utf8').trim()
  return urlOfServer(directory, password, postmaster.port)
}

/**
 * Removes the folders that interrupted starts left behind, except the folder of a start that is still running in
 * another process.
 */
function removeUnfinished(directory: string): void {
  for (const entry of readdirSync(directory)) {
    const [, pid] = /^postgresql\.new-(\d+)$/.exec(entry) ?? []
    const isOurs = Number(pid) === process.pid
    if (pid && (isOurs || !isAlive(Number(pid)))) {
      rmSync(join(directory, entry), { recursive: true, force: true })
    }
  }
}

async function createCluster(options: ClusterOptions, home: string): Promise<void> {
  const unfinished = `${home}.new-${process.pid}`
  mkdirSync(unfinished, { mode: 0o700 })
  try {
    writeFileSync(join(unfinished, 'password'), `${randomBytes(24).toString('base64url')}\n`, {
      mode: 0o600,
    })
    allowEntry(options, unfinished)
    await runInitdb(options, unfinished)
    if (options.durable) syncFolder(unfinished)
    renameSync(unfinished, home)
  } catch (error) {
    // A second process that started at the same moment may have created the database before this process.
    if (!existsSync(home)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  if (options.durable) syncFolder(options.directory)
}

async function runInitdb(options: ClusterOptions, folder: string): Promise<void> {
  const { native, account, durable } = options
  const cluster = join(folder, 'cluster')
  const passwordCopy = join(folder, 'initdb-password')
  const log = join(folder, 'initdb.log')
  mkdirSync(cluster, { mode: 0o700 })
  changeOwner(account, cluster)
  writeFileSync(passwordCopy, readFileSync(join(folder, 'password')), { mode: 0o600 })
  const output = openSync(log, 'a', 0o600)
  changeFileOwner(account, passwordCopy)
  const command = [
    join(native, 'bin', 'initdb'),
    `--pgdata=${cluster}`,
    `--pwfile=${passwordCopy}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    durable ? '--sync-method=fsync' : '--no-sync',
  ]
  const status = await spawnWatched(account, command, output, process.env).exited
  closeSync(output)
  rmSync(passwordCopy)
  if (status !== 0) {
    throw new Error(`initdb failed with status ${status}:\n${readFileSync(log, 'utf8')}`)
  }
  rmSync(log)
}

function changeFileOwner(account: Account, file: string): void {
  if (account.owner !== undefined) chownSync(file, account.owner, account.owner)
}

function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/**
 * Lets an account other than root pass through the two parent folders of the cluster, without a right to list them.
 */
function allowEntry({ account, directory }: ClusterOptions, home: string): void {
  if (account.owner === undefined || account.owner === 0) return
  chmodSync(directory, 0o711)
  chmodSync(home, 0o711)
}

function checkCluster(home: string): void {
  const version = readVersion(join(home, 'cluster', 'PG_VERSION'))
  const isWhole =
    existsSync(join(home, 'cluster', 'global', 'pg_control')) && existsSync(join(home, 'password'))
  if (version === undefined || !isWhole) {
    throw new StartupError(
      `The database in ${home} is damaged: some of its files are missing. Nothing was changed. Restore a backup into an empty data directory.`,
    )
  }
  if (version !== String(postgresMajor)) {
    throw new StartupError(
      `PostgreSQL ${version} created the database in ${home}, but this program contains PostgreSQL ${postgresMajor}. Nothing was changed. Make a backup with the program version that created the database, and restore the backup into an empty data directory.`,
    )
  }
}

function readVersion(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
