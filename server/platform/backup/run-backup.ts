import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@local/postgres'
import type { BackupContext } from './backup-context.ts'
import { changeState, nameIn } from './backup-context.ts'
import { isDailyDue } from './base/base-schedule.ts'
import { sendBase } from './base/send-base.ts'
import { checkMark, findOtherShops, renewClaim } from './claim-target.ts'
import { sendChangedFiles } from './files/send-files.ts'
import { createFreshness, readLog, writeHeartbeat } from './freshness.ts'
import { boundSpool, sendSegments } from './log/send-segments.ts'
import { listSpool } from './log/spool.ts'
import { baseFolder } from './objects/object-names.ts'
import { noteLostPeriod } from './lost-periods.ts'
import { createRoomMaker, pruneAndMeasure } from './prune.ts'
import { type LastingProblem, noteProblem } from './target/target-problem.ts'
import { TargetError } from './target/target.ts'

const boundEveryMs = 1_000
const readLogEveryMs = 5_000
const sendEveryMs = 1_000
const filesEveryMs = 60_000
const idleMs = 15_000
/** The pause in milliseconds after a failure, so that an unresponsive target does not receive too many requests. */
const pauseMs = 5_000

/** The intervals of the backup in milliseconds; tests set shorter ones. */
export type BackupPace = {
  readonly sendEveryMs?: number
  readonly readLogEveryMs?: number
  readonly filesEveryMs?: number
  readonly idleMs?: number
  readonly pauseMs?: number
}

export type BackupOptions = {
  readonly context: BackupContext
  readonly database: Database
  readonly keepDays: number
  readonly spoolMegabytes: number
  /** Called with each failure. The backup then retries the failed step. */
  readonly report: (error: unknown, what: string) => void
  /** Called with each message for the owner, which is a complete sentence. */
  readonly notify: (sentence: string) => void
  readonly pace?: BackupPace
}

/** The moment up to which the backup has every change, and the current problem of the backup. */
export type BackupProgress = {
  /** The backup has every change up to this moment, in milliseconds since 1970. */
  readonly protectedMs: number | undefined
  readonly problem: LastingProblem | undefined
}

export type RunningBackup = {
  progress(): BackupProgress
  /**
   * Returns whether another process makes the backups. This process then runs no restore drills (tests that restore the
   * backup). If the function is undefined, no other process makes backups.
   */
  isElsewhere?(): boolean
  /** Sends the missing data to the target now, even during the pause after a failure. */
  sendNow(): Promise<void>
  stop(): Promise<void>
}

/** Sends write-ahead log segments, files and base backups to the target until `stop` is called. */
export function runBackup(options: BackupOptions): RunningBackup {
  const stopping = new AbortController()
  const { signal } = stopping
  const { pace = {} } = options
  const runner = new BackupRunner(options, signal)
  const loops = [
    repeat('the log could not be bounded', boundEveryMs, () => runner.bound()),
    repeat('the end of the log could not be read', pace.readLogEveryMs ?? readLogEveryMs, () =>
      runner.readLog(),
    ),
    repeat('the backup could not be sent', pace.sendEveryMs ?? sendEveryMs, () => runner.send()),
  ]
  return {
    progress: () => runner.progress(),
    sendNow: () => runner.sendNow(),
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await runner.ended()
    },
  }

  async function repeat(what: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) options.report(error, what)
      })
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

class BackupRunner {
  private readonly options: BackupOptions
  private readonly signal: AbortSignal
  private readonly freshness = createFreshness()
  private readonly makeRoom: ReturnType<typeof createRoomMaker>
  private problem: BackupProgress['problem']
  /** The reason why the last base backup failed. Sending write-ahead log segments may still succeed in the meantime. */
  private baseProblem: BackupProgress['problem']
  private pausedUntilMs = 0
  private filesSentMs = 0
  private lookedAtMs = 0
  private hasSearchedOthers = false
  private base: Promise<void> | undefined
  private pass: Promise<void> | undefined

  constructor(options: BackupOptions, signal: AbortSignal) {
    this.options = options
    this.signal = signal
    this.makeRoom = createRoomMaker(options.context, options.keepDays, options.report)
  }

  progress(): BackupProgress {
    const isWhole = this.options.context.state.baseReason === undefined
    return {
      protectedMs: isWhole ? this.protectedMs() : undefined,
      problem: this.problem ?? this.baseProblem,
    }
  }

  /**
   * Returns the moment up to which the target has every change. During a problem, returns at most the start of the
   * problem, because the content of the target may have changed since then. Returns undefined for an emptied target.
   */
  private protectedMs(): number | undefined {
    const ms = this.freshness.protectedMs()
    if (ms === undefined || this.problem === undefined) return ms
    return this.problem.problem === 'emptied' ? undefined : Math.min(ms, this.problem.sinceMs)
  }

  async ended(): Promise<void> {
    await this.base
  }

  bound(): Promise<void> {
    const { context, spoolMegabytes } = this.options
    return boundSpool(context, spoolMegabytes, (segment) => this.freshness.keptMs(segment))
  }

  async readLog(): Promise<void> {
    const { context, database } = this.options
    const atMs = context.now()
    const reading = await database.transaction({ role: 'shop_server' }, (query) =>
      readLog(query, atMs),
    )
    this.freshness.note(reading, context.state.nextSegment)
    // The next change of the state saves `sentUntilMs` to the disk. If the process starts again after a period without
    // backups, this value shows up to which moment the backup has every change.
    if (context.state.baseReason === undefined)
      context.state.sentUntilMs = this.freshness.protectedMs() ?? context.state.sentUntilMs
    if (this.freshness.needsHeartbeat(atMs)) {
      await database.transaction({ role: 'shop_server' }, writeHeartbeat)
    }
  }

  async sendNow(): Promise<void> {
    await this.pass?.catch(() => undefined)
    this.pausedUntilMs = 0
    this.lookedAtMs = 0
    await this.send()
  }

  /**
   * Makes one attempt to send everything that the target lacks. A call during a running attempt waits until that
   * attempt ends.
   */
  async send(): Promise<void> {
    this.pass ??= this.sendOnce().finally(() => (this.pass = undefined))
    await this.pass
  }

  private async sendOnce(): Promise<void> {
    const { context, pace } = this.options
    if (context.now() < this.pausedUntilMs || !(await this.hasWork())) return
    this.lookedAtMs = context.now()
    try {
      await checkMark(context)
      await renewClaim(context)
      await this.mentionOtherShops()
      const isBaseDue = this.isBaseDue()
      const startedMs = context.now()
      await sendSegments(context, this.signal)
      await this.sendFiles(isBaseDue)
      if (isBaseDue && !this.signal.aborted)
        this.base = this.makeBase(startedMs).finally(() => (this.base = undefined))
      this.problem = undefined
    } catch (error) {
      this.noteProblem(error)
      this.pausedUntilMs = context.now() + (pace?.pauseMs ?? pauseMs)
      await this.makeRoom(error)
      if (!(error instanceof TargetError)) throw error
    }
  }

  /**
   * While no segment has to be sent, the process checks the target less often, because each request to a bucket
   * costs money.
   */
  private async hasWork(): Promise<boolean> {
    const { context, pace } = this.options
    if (context.now() - this.lookedAtMs >= (pace?.idleMs ?? idleMs)) return true
    return (await listSpool(context.spool)).length > 0
  }

  /**
   * If a new shop starts with a target that contains the backup of another shop, the owner may have intended to
   * restore that backup.
   */
  private async mentionOtherShops(): Promise<void> {
    const { context, notify } = this.options
    if (this.hasSearchedOthers) return
    const others = context.state.base ? [] : await findOtherShops(context)
    this.hasSearchedOthers = true
    for (const shop of others) {
      notify(
        `The target ${context.target.address} has the backup of another shop. If that shop is yours, stop this site and restore the backup into an empty DATA_DIR: npm run restore -- --from ${context.target.address} --shop ${shop}`,
      )
    }
  }

  private async sendFiles(isBaseDue: boolean): Promise<void> {
    const { context, pace } = this.options
    const isDue = context.now() - this.filesSentMs >= (pace?.filesEveryMs ?? filesEveryMs)
    if (!isDue && !isBaseDue) return
    await sendChangedFiles(context, this.signal)
    this.filesSentMs = context.now()
  }

  private isBaseDue(): boolean {
    const { state, now } = this.options.context
    if (this.base || this.signal.aborted) return false
    return state.baseReason !== undefined || isDailyDue(state.base?.startedMs, now())
  }

  private async makeBase(startedMs: number): Promise<void> {
    const { context, report } = this.options
    const { brokenMs } = context.state
    try {
      const isUsable = await this.sendBaseOrRemoveIt(startedMs)
      if (!isUsable) return
      this.baseProblem = undefined
      if (brokenMs !== undefined) noteLostPeriod(context, brokenMs, this.options.keepDays)
      await this.prune()
    } catch (error) {
      if (this.signal.aborted) return
      this.baseProblem = noteProblem(this.baseProblem, error, context.now())
      this.pausedUntilMs = context.now() + (this.options.pace?.pauseMs ?? pauseMs)
      await this.makeRoom(error)
      if (!(error instanceof TargetError)) report(error, 'a base backup failed')
    }
  }

  private async sendBaseOrRemoveIt(startedMs: number): Promise<boolean> {
    const { context } = this.options
    try {
      const isUsable = await sendBase(context, startedMs, this.signal)
      if (!isUsable && !this.signal.aborted) {
        changeState(context, { baseReason: context.state.baseReason ?? 'broken chain' })
        await this.removeUnfinishedBase()
      }
      return isUsable
    } catch (error) {
      if (!this.signal.aborted) await this.removeUnfinishedBase().catch(() => undefined)
      throw error
    }
  }

  /**
   * Removes the parts of a base backup that failed. Each attempt has its own number, so the parts of several failed
   * attempts would fill the target.
   */
  private async removeUnfinishedBase(): Promise<void> {
    const { context } = this.options
    const folder = nameIn(context, baseFolder(context.state.nextBase - 1))
    for (const { name } of await context.target.list(folder)) await context.target.remove(name)
  }

  private async prune(): Promise<void> {
    const { context, keepDays, report } = this.options
    await pruneAndMeasure(context, keepDays, report)
  }

  private noteProblem(error: unknown): void {
    this.problem = noteProblem(this.problem, error, this.options.context.now())
  }
}
