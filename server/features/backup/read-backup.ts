import type { Backup } from '#contracts/backup.ts'
import { backupHealth } from '#domain/backup/backup-health.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import type { Config } from '#server/config.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { listSpool } from '#server/platform/backup/log/spool.ts'
import { isOnSameDisk, type StartedBackup } from '#server/platform/backup/start-backup.ts'
import { readDrills } from './drill-records.ts'
import type { BackupService, RunningDrill } from './open-backup.ts'

export type BackupSource = {
  readonly config: Config
  readonly database: Database
  readonly backup: BackupService
  readonly now: () => number
}

/** Reads the state of the backup, as the dashboard shows it. */
export async function readBackup(source: BackupSource): Promise<Backup> {
  const { config, database, backup, now } = source
  const running = backup.current()
  const { drills, key, pausedEmails } = await database.transaction(asServer, async (query) => ({
    drills: await readDrills(query),
    key: running ? await readKey(query, running.context.key.fingerprint) : null,
    pausedEmails: await readPausedEmails(query),
  }))
  const isSameDisk =
    config.backup !== undefined && isOnSameDisk(config.backup.url, config.dataDirectory)
  const isNightly = config.backup !== undefined && config.databaseUrl !== undefined
  const described = running ? describeRunning(running) : nothingRunning
  const [last] = drills
  const isSafe = !isSameDisk && key?.confirmedAt !== null
  return {
    state: running
      ? backupHealth({
          ...described.facts,
          lastDrill: last && {
            endedMs: Date.parse(last.endedAt),
            isProven: last.outcome === 'proven',
          },
          isSafe,
          isNightly,
          nowMs: now(),
        })
      : 'off',
    target: running?.context.target.address ?? null,
    isOnSameDisk: isSameDisk,
    isNightly,
    ...described.shown,
    waitingMegabytes: running && !isNightly ? await waitingMegabytes(running) : 0,
    keepDays: config.backup?.keepDays ?? 0,
    drillAt: config.backup?.drillAt ?? '',
    key,
    drills,
    runningDrill: describeDrill(backup.runningDrill()),
    pausedEmails,
  }
}

function describeDrill(drill: RunningDrill | undefined): Backup['runningDrill'] {
  return drill ? { step: drill.step, since: new Date(drill.startedMs).toISOString() } : null
}

const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

const nothingRunning = {
  facts: { protectedMs: undefined, problemSinceMs: undefined },
  shown: {
    protectedUntil: null,
    problem: null,
    brokenSince: null,
    lastFullCopyAt: null,
    targetBytes: null,
  },
}

function describeRunning(running: StartedBackup) {
  const { protectedMs, problem } = running.progress()
  const { brokenMs, base, targetBytes } = running.context.state
  return {
    facts: { protectedMs, problemSinceMs: problem?.sinceMs },
    shown: {
      protectedUntil: iso(protectedMs),
      problem: problem
        ? { message: problem.message, since: new Date(problem.sinceMs).toISOString() }
        : null,
      brokenSince: iso(brokenMs),
      lastFullCopyAt: iso(base?.endedMs),
      targetBytes: targetBytes ?? null,
    },
  }
}

async function waitingMegabytes({ context }: StartedBackup): Promise<number> {
  const segments = await listSpool(context.spool)
  return Math.ceil(segments.reduce((sum, { bytes }) => sum + bytes, 0) / 1_048_576)
}

async function readKey(query: Query, fingerprint: string): Promise<NonNullable<Backup['key']>> {
  const [copy] = rowsAs<{ confirmedAt: string; confirmedBy: string }>(
    await query(
      `select to_char(confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "confirmedAt",
         confirmed_by_name as "confirmedBy"
       from internal.backup_key_copies where fingerprint = $1`,
      [fingerprint],
    ),
  )
  return {
    fingerprint,
    confirmedAt: copy?.confirmedAt ?? null,
    confirmedBy: copy?.confirmedBy ?? null,
  }
}

async function readPausedEmails(query: Query): Promise<Backup['pausedEmails']> {
  const [paused] = rowsAs<Omit<NonNullable<Backup['pausedEmails']>, 'emails'>>(
    await query(
      `select to_char(recovered_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "recoveredUntil",
         (select count(*)::integer from public.emails where status in ('queued', 'retrying')) as waiting
       from internal.restored_shop where resumed_at is null`,
    ),
  )
  return paused ? { ...paused, emails: await readWaitingEmails(query) } : null
}

const shownEmails = 50

/** Reads the paused emails, oldest first. */
async function readWaitingEmails(
  query: Query,
): Promise<NonNullable<Backup['pausedEmails']>['emails']> {
  return rowsAs(
    await query(
      `select id, subject, recipient_email as recipient,
         to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "queuedAt"
       from public.emails where status in ('queued', 'retrying') order by created_at, id limit ${shownEmails}`,
    ),
  )
}
