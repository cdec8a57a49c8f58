import { setTimeout as delay } from 'node:timers/promises'
import { createSessionLocks, type Database } from '@local/postgres'
import { type BackupContext, changeState, nameIn } from '#server/platform/backup/backup-context.ts'
import { isDailyDue } from '#server/platform/backup/base/base-schedule.ts'
import { checkMark, renewClaim } from '#server/platform/backup/claim-target.ts'
import { parseManifestName } from '#server/platform/backup/objects/object-names.ts'
import { createRoomMaker, pruneAndMeasure } from '#server/platform/backup/prune.ts'
import type { BackupProgress, RunningBackup } from '#server/platform/backup/run-backup.ts'
import type { BackupState } from '#server/platform/backup/state.ts'
import { noteProblem } from '#server/platform/backup/target/target-problem.ts'
import { TargetError } from '#server/platform/backup/target/target.ts'
import { sendLogicalBackup } from './send-logical.ts'

const lookEveryMs = 60_000
/**
 * The pause in milliseconds after a failed attempt. The pause is long, because each attempt reads the whole database.
 */
const pauseMs = 300_000

/** The intervals of the backup in milliseconds; tests set shorter ones. */
export type LogicalPace = { readonly lookEveryMs?: number; readonly pauseMs?: number }

export type LogicalOptions = {
  readonly context: BackupContext
  readonly database: Database
  readonly keepDays: number
  /** Reads the state of the backup from the disk, because another process may have stored a newer state there. */
  readonly readState: () => BackupState
  /** Called with each failure. The process then retries the backup. */
  readonly report: (error: unknown, what: string) => void
  readonly pace?: LogicalPace
}

/** Thrown when another process of the site makes the backups. */
class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError'
}

/**
 * Makes a logical backup when the backup is switched on and then every night, until `stop` is called. Of several
 * processes, only the one that has the lock makes backups. The lock occupies one database connection of the pool.
 */
export function runLogicalBackup(options: LogicalOptions): RunningBackup {
  const stopping = new AbortController()
  const { signal } = stopping
  const runner = new LogicalRunner(options, signal)
  const locks = createSessionLocks(options.database.pool, () => new ElsewhereError())
  const everyMs = options.pace?.lookEveryMs ?? lookEveryMs
  const ended = keepLock()
  return {
    progress: () => runner.progress(),
    isElsewhere: () => !runner.hasLock,
    sendNow: () => runner.lookNow(),
    async stop() {
      stopping.abort()
      await ended
    },
  }

  async function keepLock(): Promise<void> {
    while (!signal.aborted) {
      await locks('managed backup', 0, () => runner.work(everyMs)).catch((error: unknown) => {
        if (error instanceof ElsewhereError) runner.readState()
        else if (!signal.aborted) options.report(error, 'the backup could not be started')
      })
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

class LogicalRunner {
  hasLock = false
  private readonly options: LogicalOptions
  private readonly signal: AbortSignal
  private readonly makeRoom: ReturnType<typeof createRoomMaker>
  private problem: BackupProgress['problem']
  private pausedUntilMs = 0
  private attempt: Promise<void> | undefined

  constructor(options: LogicalOptions, signal: AbortSignal) {
    this.options = options
    this.signal = signal
    this.makeRoom = createRoomMaker(options.context, options.keepDays, options.report)
  }

  progress(): BackupProgress {
    const { base, baseReason } = this.options.context.state
    const isWhole = baseReason === undefined
    return { protectedMs: isWhole ? base?.startedMs : undefined, problem: this.problem }
  }

  /**
   * Reads the state of the backup that another process stored on the disk. Called while this process sends nothing to
   * the target.
   */
  readState(): void {
    Object.assign(this.options.context.state, { ...this.options.readState(), claimedMs: 0 })
  }

  /** Makes backups after this process got the lock, until the backup is stopped. */
  async work(everyMs: number): Promise<void> {
    const { context, readState } = this.options
    Object.assign(context.state, readState())
    this.hasLock = true
    while (!this.signal.aborted) {
      await this.look()
      await delay(everyMs, undefined, { signal: this.signal }).catch(() => undefined)
    }
  }

  /**
   * Makes a backup now if one is due, even during the pause after a failure. Does nothing while another process has the
   * lock.
   */
  async lookNow(): Promise<void> {
    if (!this.hasLock) return
    this.pausedUntilMs = 0
    await this.look()
  }

  /** A call during a running attempt waits until that attempt ends. */
  private async look(): Promise<void> {
    this.attempt ??= this.lookOnce().finally(() => (this.attempt = undefined))
    await this.attempt
  }

  private async lookOnce(): Promise<void> {
    const { context, report, pace } = this.options
    if (context.now() < this.pausedUntilMs) return
    try {
      await this.backUpWhenDue()
      this.problem = undefined
    } catch (error) {
      if (this.signal.aborted) return
      this.problem = noteProblem(this.problem, error, context.now())
      this.pausedUntilMs = context.now() + (pace?.pauseMs ?? pauseMs)
      await this.makeRoom(error)
      if (!(error instanceof TargetError)) report(error, 'the nightly backup failed')
    }
  }

  private async backUpWhenDue(): Promise<void> {
    const { context } = this.options
    const { state } = context
    await checkMark(context)
    // A process does not notice the loss of its database connection, which also releases the lock. Before each backup,
    // it therefore renews its claim (the numbered record that reserves its folder at the target). If another process
    // has continued the backup, the next claim already exists.
    if (this.isDue() && state.claimedMs > 0) state.claimedMs = 1
    const { claim } = state
    await renewClaim(context)
    // Listing the objects of a bucket costs money, so the process looks for the newest backup only once an hour, when
    // it renews the claim that reserves its folder at the target.
    if (state.claim !== claim) await noteMissingCopy(context)
    if (!this.isDue()) return
    await sendLogicalBackup(context, this.signal)
    await this.prune()
  }

  private isDue(): boolean {
    const { state, now } = this.options.context
    return state.baseReason !== undefined || isDailyDue(state.base?.startedMs, now())
  }

  private async prune(): Promise<void> {
    const { context, keepDays, report } = this.options
    await pruneAndMeasure(context, keepDays, report)
  }
}

/** Requests an immediate backup if the newest backup is missing at the target. */
async function noteMissingCopy(context: BackupContext): Promise<void> {
  const { target, state } = context
  if (state.base === undefined || state.baseReason !== undefined) return
  const { endedMs } = state.base
  const objects = await target.list(nameIn(context, 'base/'))
  const isThere = objects.some(({ name }) => parseManifestName(name)?.endedMs === endedMs)
  if (!isThere) changeState(context, { baseReason: 'missing copy' })
}
