import { type Query, rowsAs } from '@local/postgres'

/** A reading of the log and of the transactions. */
export type LogReading = {
  readonly atMs: number
  /** The segment that contains the end of the log. */
  readonly segment: string
  /** The transactions that have ended and those that are open; the same text means that nothing has changed. */
  readonly transactions: string
}

export async function readLog(query: Query, atMs: number): Promise<LogReading> {
  const [row] = rowsAs<Omit<LogReading, 'atMs'>>(
    await query(
      `select pg_walfile_name(pg_current_wal_insert_lsn()) as segment,
       pg_current_snapshot()::text as transactions`,
    ),
  )
  if (!row) throw new Error('PostgreSQL returned no log position')
  return { atMs, ...row }
}

/** Writes a small record into the log, whose segment the server therefore archives within a minute. */
export async function writeHeartbeat(query: Query): Promise<void> {
  await query(`select pg_logical_emit_message(true, 'backup', 'heartbeat')::text as position`)
}

/** Computes up to which moment the target has every change. */
export type Freshness = {
  /** `nextSegment` is the first segment that the target does not have. */
  note(reading: LogReading, nextSegment: string | undefined): void
  /** Undefined before the target has everything up to any moment. */
  protectedMs(): number | undefined
  /**
   * Whether nothing has changed for a while and still not everything is known to be at the target. That happens when a
   * segment ended between two readings, right after its last change.
   */
  needsHeartbeat(nowMs: number): boolean
}

/** The readings that are kept: two hours at one reading every five seconds. */
const mostReadings = 1_500
/** Longer than the server needs to archive a segment with changes. */
const quietMs = 90_000

export function createFreshness(): Freshness {
  let readings: LogReading[] = []
  let newest: LogReading | undefined
  let quietSince: LogReading | undefined
  let hasSentAll = false
  return {
    note(reading, nextSegment) {
      readings = [...readings.slice(1 - mostReadings), reading]
      hasSentAll = reading.segment === nextSegment
      if (quietSince?.transactions !== reading.transactions) quietSince = reading
      if (nextSegment === undefined) return
      const sent = readings.filter(({ segment }) => segment < nextSegment)
      newest = sent.at(-1) ?? newest
      readings = readings.filter(({ segment }) => segment >= nextSegment)
      // Without another transaction, nothing has changed since that reading.
      if (newest?.transactions === reading.transactions) newest = { ...newest, atMs: reading.atMs }
    },
    protectedMs: () => newest?.atMs,
    needsHeartbeat: (nowMs) =>
      hasSentAll &&
      quietSince !== undefined &&
      nowMs - quietSince.atMs > quietMs &&
      newest?.transactions !== quietSince.transactions,
  }
}
