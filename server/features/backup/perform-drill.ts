import { shopToday } from '#domain/calendar/shop-time.ts'
import { createSessionLocks, type Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { BackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { ObjectError } from '#server/platform/backup/objects/sealed-store.ts'
import { DrillError, type DrillStep, runDrill } from '#server/platform/backup/drill/run-drill.ts'
import { runLogicalDrill } from '#server/platform/backup/logical/run-logical-drill.ts'
import { RestoreError } from '#server/platform/backup/restore/restore-error.ts'
import { loadState } from '#server/platform/backup/state.ts'
import { type Target, TargetError } from '#server/platform/backup/target/target.ts'
import { readNextFileNumber, recordDrill, type RecordedDrill } from './drill-records.ts'
import { watchShop } from './watch-shop.ts'

export type DrillContext = {
  readonly database: Database
  readonly target: Target
  readonly key: BackupKey
  readonly dataDirectory: string
  readonly ownerUrl: string
  /** Whether a hosting provider runs the database. If so, the backup is a nightly logical dump. */
  readonly isLogical: boolean
  readonly now: () => number
  readonly onStep: (step: DrillStep) => void
  /** Reports an unexpected error, which is none of the known reasons for a failed restore drill. */
  readonly report: (error: unknown) => void
}

/** Thrown when another process is running a restore drill (test restore) of the same shop. */
export class DrillRunningError extends Error {
  override readonly name = 'DrillRunningError'
}

/**
 * Runs a restore drill (test restore) and records its result, unless `signal` interrupts the drill. Throws
 * `DrillRunningError` while another process is running a drill, because both drills would use the same folder.
 */
export async function performDrill(
  context: DrillContext,
  signal: AbortSignal,
): Promise<RecordedDrill['result'] | undefined> {
  const locks = createSessionLocks(context.database.pool, () => new DrillRunningError())
  return locks('drill', 0, () => drillAndRecord(context, signal))
}

async function drillAndRecord(
  context: DrillContext,
  signal: AbortSignal,
): Promise<RecordedDrill['result'] | undefined> {
  const { database, now } = context
  const startedMs = now()
  const watch = watchShop(database)
  const either = AbortSignal.any([signal, watch.signal])
  const result = await attempt(context, either).finally(() => watch.stop())
  if (signal.aborted) return undefined
  await database.transaction(asServer, (query) =>
    recordDrill(query, { startedMs, incarnation: incarnationOf(context), result }),
  )
  return result
}

async function attempt(
  context: DrillContext,
  signal: AbortSignal,
): Promise<RecordedDrill['result']> {
  const { database, now } = context
  try {
    const sinceNumber = await database.transaction(asServer, (query) =>
      readNextFileNumber(query, incarnationOf(context) ?? ''),
    )
    // On the first day of a month, the restore drill checks all files in the backup instead of a sample.
    const isComplete = shopToday(new Date(now())).endsWith('-01')
    const run = context.isLogical ? runLogicalDrill : runDrill
    return await run({ ...context, sinceNumber, isComplete, signal })
  } catch (error) {
    if (signal.aborted) return { outcome: 'not_drilled', reason: 'stopped' }
    const reason = reasonOf(error)
    if (reason === undefined) context.report(error)
    const object = objectOf(error)
    return { outcome: 'not_drilled', reason: reason ?? 'error', ...(object && { object }) }
  }
}

/**
 * Returns the id of the current incarnation (the backup history of one copy of the shop). Each incarnation numbers its
 * files from zero, so file numbers of different incarnations cannot be compared.
 */
const incarnationOf = ({ dataDirectory }: DrillContext) => loadState(dataDirectory)?.incarnation.id

/** Returns the name of the backup object that the restore drill could not use; undefined for other errors. */
function objectOf(error: unknown): string | undefined {
  if (error instanceof ObjectError || error instanceof DrillError) return error.object
  return error instanceof RestoreError && error.detail.reason === 'unusable object'
    ? error.detail.object
    : undefined
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof DrillError) return error.reason
  if (error instanceof TargetError) return error.problem
  if (error instanceof ObjectError || error instanceof RestoreError) return 'damaged'
  return undefined
}
