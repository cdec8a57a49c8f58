import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@local/embedded-postgres'
import { queryOf, rowsAs, StartupError } from '@local/postgres'

/** The point at which a recovery stops: a moment, a position of the log (exclusive), or the end of the log. */
export type RecoveryStop = { readonly atMs?: number | undefined; readonly position?: string }

/** The options of a recovery; `signal` aborts a recovery that is not complete. */
export type RecoveryOptions = Pick<EmbeddedOptions, 'isLowPriority' | 'signal'> & {
  /** Called once when the log ends before the stop; adds later segments of the log and returns whether it found any. */
  readonly addLog?: () => Promise<boolean>
}

export type Recovered = {
  readonly server: EmbeddedPostgres
  /** The last commit that was recovered, in milliseconds since 1970; undefined when the log contained none. */
  readonly lastCommitMs: number | undefined
  /** Whether the log ended before the requested moment. */
  readonly isEndOfLog: boolean
}

/** The recovery of a long log takes longer than a normal start. */
const startDeadlineMs = 4 * 3_600_000

/**
 * Starts the cluster in `dataDirectory`, which recovers from the log in its folder pg_wal. The server does not archive,
 * and it runs until it is stopped.
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
    // PostgreSQL stops with an error when the log does not reach the requested moment. The recovery is then repeated
    // without a moment, up to the end of the log.
    const server = await startEmbeddedPostgres({ ...options, settings: recoverySettings })
    const lastCommitMs = (await readLastCommit(server.ownerUrl)) ?? commitInMessage(error)
    return { server, lastCommitMs, isEndOfLog: true }
  }
}

const recoverySettings = {
  archive_mode: 'off',
  hot_standby: 'off',
  // PostgreSQL requires a restore command. This one finds nothing, so PostgreSQL reads the segments that are in pg_wal
  // already.
  restore_command: 'false',
  recovery_target_action: 'promote',
}

function stopSettings({ atMs, position }: RecoveryStop): Readonly<Record<string, string>> {
  if (position !== undefined) {
    return { recovery_target_lsn: position, recovery_target_inclusive: 'off' }
  }
  return atMs === undefined ? {} : { recovery_target_time: toTimestamp(atMs) }
}

/** PostgreSQL does not accept the letter T in this setting. */
const toTimestamp = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00')

const isUnset = ({ atMs, position }: RecoveryStop) => atMs === undefined && position === undefined

const isLogTooShort = (error: unknown): error is StartupError =>
  error instanceof StartupError &&
  error.message.includes('recovery ended before configured recovery target was reached')

/** PostgreSQL logs the time of the last commit before it ends. */
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
