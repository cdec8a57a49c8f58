import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Account, chooseAccount } from './account.ts'
import { copyForEveryone, findBinaries, linkLibraries, postgresMajor } from './binaries.ts'
import { openCluster } from './cluster.ts'
import { launch, usualSettings } from './launch.ts'
import { awaitRelease, releaseOwner, takeOwnership } from './lock.ts'
import { SupervisedServer } from './supervisor.ts'
import { StartupError } from '@local/postgres'

export type EmbeddedPostgres = Pick<SupervisedServer, 'whyDown' | 'lost'> & {
  /** Logs in as the superuser of the cluster, to its database `postgres`; the same after a revival. */
  readonly ownerUrl: string
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
  readonly timeoutMs?: number
}

/**
 * Starts the PostgreSQL that comes with the site on the cluster in `dataDirectory`, on a free loopback
 * port. It is started again when it dies, and ends with this process, even if that is killed. Throws `StartupError` when the directory is
 * in use, damaged, or somebody else's; nothing in it is changed then.
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
  const account = options.account ?? chooseAccount(linked, directory)
  const native = account.needsOpenPrograms ? copyForEveryone(linked, options.openPrograms) : linked
  const { durable = true, timeoutMs = 15_000 } = options
  const cluster = await openCluster({ native, account, directory, durable })
  await awaitRelease(directory, cluster.path, timeoutMs)
  const settings = { ...usualSettings, fsync: durable ? 'on' : 'off', ...options.settings }
  const stopping = new AbortController()
  const plan = { native, account, cluster, directory, settings, stopping }
  const launched = await launch(plan)
  takeOwnership(directory)
  const supervised = new SupervisedServer(launched, plan, timeoutMs)
  return {
    ownerUrl: `postgresql://postgres:${cluster.password}@127.0.0.1:${launched.port}/postgres`,
    whyDown: () => supervised.whyDown(),
    lost: supervised.lost,
    async stop() {
      await supervised.stop()
      releaseOwner(directory)
    },
  }
}
