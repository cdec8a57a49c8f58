import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@local/embedded-postgres'
import { queryOf, rowsAs, StartupError } from '@local/postgres'

/**
 * The point at which a recovery stops: a moment, a position of the write-ahead log (exclusive), or the end of the
 * log.
 */
export type RecoveryStop = { readonly atMs?: number | undefined; readonly position?: string }

/** The options of a recovery; `signal` aborts an unfinished recovery. */
export type RecoveryOptions = Pick<EmbeddedOptions, 'isLowPriority' | 'signal'> & {
  /**
   * Called once if the write-ahead log ends before the requested point. Adds later segments of the log; returns false
   * if there are none.
   */
  readonly addLog?: () => Promise<boolean>
}

export type Recovered = {
  readonly server: EmbeddedPostgres
  /**
   * The time of the last recovered commit, in milliseconds since 1970; undefined when the write-ahead log contained
   * no commit.
   */
  readonly lastCommitMs: number | undefined
  /** Whether the write-ahead log ended before the requested moment. */
  readonly isEndOfLog: boolean
}

/**
 * The maximum time in milliseconds that the restored PostgreSQL server may take to start. The limit is high, because
 * the server replays the write-ahead log before it is ready.
 */
const startDeadlineMs = 4 * 3_600_000

/**
 * Starts the cluster in `dataDirectory`, which recovers from the write-ahead log in its folder pg_wal. The started
 * server archives nothing, and runs until it is stopped.
 */
export async function recoverCluster(
  dataDirectory: string,
  stop: RecoveryStop,
  { addLog = () => Promise.resolve(false), ...how }: RecoveryOptions = {},
): Promise<Recovered> {
  await writeFile(join(dataDirectory, 'postgresql', 'cluster', 'recovery.signal'), '', {
    mode: 0o600,
  })
  const options = { dataDirectory, startDeadlineMs, ...how }
  try {
    const settings = { ...recoverySettings, ...stopSettings(stop) }
    const server = await startEmbeddedPostgres({ ...options, settings })
    return {
      server,
      lastCommitMs: await readLastCommit(server.ownerUrl),
      isEndOfLog: isUnset(stop),
    }
  } catch (error) {
    if (!isLogTooShort(error)) throw error
    if (await addLog()) return recoverCluster(dataDirectory, stop, how)
    // PostgreSQL stops with an error when the write-ahead log does not reach the requested moment. The recovery is then
    // repeated up to the end of the log, without a requested moment.
    const server = await startEmbeddedPostgres({ ...options, settings: recoverySettings })
    const lastCommitMs = (await readLastCommit(server.ownerUrl)) ?? commitInMessage(error)
    return { server, lastCommitMs, isEndOfLog: true }
  }
}

const recoverySettings = {
  archive_mode: 'off',
  hot_standby: 'off',
  // PostgreSQL requires the setting `restore_command`. The command `false` finds no file, so PostgreSQL reads only the
  // segments that are already in pg_wal.
  restore_command: 'false',
  recovery_target_action: 'promote',
}

function stopSettings({ atMs, position }: RecoveryStop): Readonly<Record<string, string>> {
  if (position !== undefined) {
    return { recovery_target_lsn: position, recovery_target_inclusive: 'off' }
  }
  return atMs === undefined ? {} : { recovery_target_time: toTimestamp(atMs) }
}

/** PostgreSQL does not accept the letter T between date and time in the setting `recovery_target_time`. */
const toTimestamp = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00')

const isUnset = ({ atMs, position }: RecoveryStop) => atMs === undefined && position === undefined

const isLogTooShort = (error: unknown): error is StartupError =>
  error instanceof StartupError &&
  error.message.includes('recovery ended before configured recovery target was reached')

/**
 * Returns the time of the last recovered commit from the error message of a recovery; undefined if the message does not
 * contain the time. PostgreSQL logs this time before the recovery ends.
 */
function commitInMessage({ message }: StartupError): number | undefined {
  const [, time] = /last completed transaction was at log time (\S+ \S+)\+00/.exec(message) ?? []
  return time === undefined ? undefined : Date.parse(`${time.replace(' ', 'T')}Z`)
}

async function readLastCommit(ownerUrl: string): Promise<number | undefined> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'restore' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const query = queryOf(client)
    const [row] = rowsAs<{ ms: string | null }>(
      await query(
        `select floor(extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::bigint::text as ms`,
      ),
    )
    return row?.ms ? Number(row.ms) : undefined
  } finally {
    await client.end()
  }
}
