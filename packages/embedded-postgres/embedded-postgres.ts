import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Account, chooseAccount, withLowPriority } from './account.ts'
import { archiveSettings, createSpool } from './archive.ts'
import { copyForEveryone, findBinaries, linkLibraries, postgresMajor } from './binaries.ts'
import { openCluster } from './cluster.ts'
import { type Launch, launch, type Launched, usualSettings } from './launch.ts'
import { awaitRelease, releaseOwner, takeOwnership } from './lock.ts'
import { urlOfServer } from './socket.ts'
import { SupervisedServer } from './supervisor.ts'
import { StartupError } from '@local/postgres'

export type EmbeddedPostgres = Pick<SupervisedServer, 'whyDown' | 'lost'> & {
  /** The superuser's connection URL for the database `postgres`. A restarted server has the same URL. */
  readonly ownerUrl: string
  /** Stops the server with a fast shutdown: open transactions are rolled back, committed ones are on disk. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** The folder that contains the cluster, its password and its log; created when it is missing. */
  readonly dataDirectory: string
  /**
   * Whether PostgreSQL waits until its writes are on disk. False only in tests, because a power cut may then destroy
   * the database.
   */
  readonly durable?: boolean
  /** PostgreSQL settings that are added to the default settings of this package or replace them. */
  readonly settings?: Readonly<Record<string, string>>
  /**
   * The maximum time in seconds until the server copies a change into the archive folder (`spoolOf`). The server copies
   * each segment of the write-ahead log when the segment is full, or after this time. The caller empties the folder.
   * When undefined, the server copies no segments.
   */
  readonly archiveEverySeconds?: number
  /** Runs the server with the lowest CPU priority. */
  readonly isLowPriority?: boolean
  /**
   * The maximum time in milliseconds for the start of the server, 60,000 by default. A recovery that replays much of
   * the write-ahead log needs more.
   */
  readonly startDeadlineMs?: number
  /** Aborting this signal ends an incomplete start; it has no effect on a server that accepts connections. */
  readonly signal?: AbortSignal
  /**
   * The operating system account that runs PostgreSQL, and the folder with the programs of PostgreSQL; set in tests
   * only.
   */
  readonly account?: Account
  readonly native?: string
  /**
   * The parent folder for the copy of the PostgreSQL programs. Some accounts need this copy, because they cannot read
   * the original programs; used only when this process runs as root.
   */
  readonly openPrograms?: string
  /**
   * The maximum time in milliseconds for the shutdown of the server, 15,000 by default. Afterwards, the server gets
   * SIGINT.
   */
  readonly timeoutMs?: number
}

/**
 * Starts a PostgreSQL server on the cluster in `dataDirectory`, on a socket and a free loopback port. The package
 * restarts the server when the server crashes. The server ends with this process, even when this process is killed.
 * When another process uses the directory or the cluster is damaged, the function changes no file and throws
 * `StartupError`.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new StartupError(
      'The embedded PostgreSQL runs on Linux and macOS. On Windows use WSL, or use another PostgreSQL server.',
    )
  }
  const directory = resolve(options.dataDirectory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const installed = options.native ?? findBinaries()
  const linked = linkLibraries(installed, join(directory, `postgresql-${postgresMajor}-programs`))
  const chosen = options.account ?? chooseAccount(linked, directory)
  const account = options.isLowPriority ? withLowPriority(chosen) : chosen
  const native = account.needsOpenPrograms ? copyForEveryone(linked, options.openPrograms) : linked
  const { durable = true, timeoutMs = 15_000, archiveEverySeconds, startDeadlineMs } = options
  const cluster = await openCluster({ native, account, directory, durable })
  await awaitRelease(directory, cluster.path, timeoutMs)
  if (archiveEverySeconds !== undefined) createSpool(directory, account)
  const settings = {
    ...usualSettings,
    fsync: durable ? 'on' : 'off',
    ...(archiveEverySeconds !== undefined && archiveSettings(directory, archiveEverySeconds)),
    ...options.settings,
  }
  const stopping = new AbortController()
  const plan = { native, account, cluster, directory, settings, stopping, startDeadlineMs }
  const launched = await launchUnlessAborted(plan, options.signal)
  takeOwnership(directory)
  const supervised = new SupervisedServer(launched, plan, timeoutMs)
  return {
    ownerUrl: urlOfServer(directory, cluster.password, launched.port),
    whyDown: () => supervised.whyDown(),
    lost: supervised.lost,
    async stop() {
      await supervised.stop()
      releaseOwner(directory)
    },
  }
}

async function launchUnlessAborted(
  plan: Launch,
  signal: AbortSignal | undefined,
): Promise<Launched> {
  signal?.throwIfAborted()
  const stop = () => plan.stopping.abort()
  signal?.addEventListener('abort', stop)
  try {
    return await launch(plan)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
