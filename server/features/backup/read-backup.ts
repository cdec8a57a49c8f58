import type { Backup } from '#contracts/backup.ts'
import { type BackupHealth, backupHealth } from '#domain/backup/backup-health.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import type { Config } from '#server/config.ts'
import { hasUncheckedNumbers } from '#server/features/invoices/records/check-invoice-numbers.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { listSkipped } from '#server/platform/backup/files/skipped-file.ts'
import { listSpool, spoolLimit } from '#server/platform/backup/log/spool.ts'
import { isOnSameDisk, type StartedBackup } from '#server/platform/backup/start-backup.ts'
import { readBadNights } from './bad-nights.ts'
import { hasProvenSince, readDrills } from './drill-records.ts'
import type { BackupService, RunningDrill } from './open-backup.ts'

export type BackupSource = {
  readonly config: Config
  readonly database: Database
  readonly backup: BackupService
  readonly now: () => number
}

/** Reads the backup state, which the dashboard shows. */
export async function readBackup(source: BackupSource): Promise<Backup> {
  const { config, database, backup, now } = source
  const running = backup.current()
  const { drills, badNights, isProven, key, pausedEmails, areNumbersUnchecked } =
    await database.transaction(asServer, async (query) => ({
      drills: await readDrills(query),
      badNights: (await readBadNights(query)).count,
      isProven: running !== undefined && (await isDrilled(query, running)),
      key: running ? await readKey(query, running.context.key.fingerprint) : null,
      pausedEmails: await readPausedEmails(query),
      areNumbersUnchecked: await hasUncheckedNumbers(query),
    }))
  const isSameDisk =
    config.backup !== undefined && isOnSameDisk(config.backup.url, config.dataDirectory)
  const isNightly = config.backup !== undefined && config.databaseUrl !== undefined
  const shown = running ? describeRunning(running, isNightly) : nothingRunning
  const spoolMegabytes = config.backup?.spoolMegabytes ?? 0
  const read = {
    target: running?.context.target.address ?? null,
    isOnSameDisk: isSameDisk,
    isHosted: config.hosted !== undefined,
    isNightly,
    isProven,
    badNights,
    ...shown,
    ...(running && !isNightly ? await describeSpool(running, spoolMegabytes) : nothingWaits),
    keepDays: config.backup?.keepDays ?? 0,
    drillAt: config.backup?.drillAt ?? '',
    key,
    drills,
    runningDrill: describeDrill(backup.runningDrill()),
    pausedEmails,
    areNumbersUnchecked,
  }
  return { state: config.backup ? healthOf(read, now()) : 'off', ...read }
}

/** Computes the health of an enabled backup at `nowMs`, from values that may have been read earlier. */
export function healthOf(backup: Omit<Backup, 'state'>, nowMs: number): BackupHealth {
  const { drills, isProven, isOnSameDisk, isNightly, key, protectedUntil, problem } = backup
  const hasEveryFile = backup.skippedFileCount === 0
  const [last] = drills
  // The backup can lack a part of the write-ahead log (a gap). A restore drill from before the last gap proves nothing
  // about the segments after the gap.
  const counts = last && (isProven || last.outcome !== 'proven')
  return backupHealth({
    protectedMs: protectedUntil === null ? undefined : Date.parse(protectedUntil),
    problemSinceMs: problem ? Date.parse(problem.since) : undefined,
    lastDrill: counts
      ? { endedMs: Date.parse(last.endedAt), isProven: last.outcome === 'proven' }
      : undefined,
    isSafe: hasEveryFile && !isOnSameDisk && key !== null && key.confirmedAt !== null,
    isNightly,
    nowMs,
  })
}

/**
 * Whether a restore drill has proven the current chain, which is the sequence of write-ahead log segments in the backup
 * since the last missing segment.
 */
async function isDrilled(query: Query, { context }: StartedBackup): Promise<boolean> {
  const { baseReason, unprovenSinceMs = 0 } = context.state
  return (
    baseReason === undefined &&
    (await hasProvenSince(query, new Date(unprovenSinceMs).toISOString()))
  )
}

function describeDrill(drill: RunningDrill | undefined): Backup['runningDrill'] {
  return drill ? { step: drill.step, since: new Date(drill.startedMs).toISOString() } : null
}

const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

const shownSkipped = 10

const nothingWaits = { waitingMegabytes: 0, waitingLimitMegabytes: 0 }

const nothingRunning = {
  protectedUntil: null,
  problem: null,
  brokenSince: null,
  lostPeriods: [],
  lastFullCopyAt: null,
  skippedFiles: [],
  skippedFileCount: 0,
  restorableSince: null,
  targetBytes: null,
  isDeletionRefused: false,
}

function describeRunning(running: StartedBackup, isNightly: boolean) {
  const { protectedMs, problem } = running.progress()
  const { state } = running.context
  const skipped = listSkipped(state.skippedFiles ?? {})
  return {
    protectedUntil: iso(protectedMs),
    problem: problem
      ? {
          kind: problem.problem,
          message: problem.message,
          since: new Date(problem.sinceMs).toISOString(),
        }
      : null,
    brokenSince: iso(state.brokenMs),
    lostPeriods: (state.lostPeriods ?? []).map(([fromMs, toMs]) => ({
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
    })),
    lastFullCopyAt: iso(state.base?.endedMs),
    skippedFiles: skipped.slice(0, shownSkipped),
    skippedFileCount: skipped.length,
    restorableSince: isNightly ? null : iso(state.oldestMs),
    targetBytes: state.targetBytes ?? null,
    isDeletionRefused: state.isDeletionRefused === true,
  }
}

async function describeSpool({ context }: StartedBackup, spoolMegabytes: number) {
  const segments = await listSpool(context.spool)
  const waiting = segments.reduce((sum, { bytes }) => sum + bytes, 0)
  const limit = await spoolLimit(context.spool, spoolMegabytes)
  return {
    waitingMegabytes: Math.ceil(waiting / 1_048_576),
    waitingLimitMegabytes: Math.floor(limit / 1_048_576),
  }
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

/**
 * Whether the shop was restored from a backup and its emails are still paused, because no owner has ended the pause.
 */
export async function readHasPausedEmails(database: Database): Promise<boolean> {
  const rows = await database.transaction(asServer, (query) =>
    query(`select from internal.restored_shop where resumed_at is null`),
  )
  return rows.length > 0
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
