import { type Query, rowsAs } from '@local/postgres'

/** The end of the write-ahead log and the running transactions at one time. */
export type LogReading = {
  readonly atMs: number
  /** The segment that contains the end of the write-ahead log. */
  readonly segment: string
  /**
   * PostgreSQL's snapshot of the ended and the open transactions, as text. Two equal texts mean that nothing changed
   * between the two readings.
   */
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

/** Writes a small record into the write-ahead log, so that PostgreSQL archives the current segment within a minute. */
export async function writeHeartbeat(query: Query): Promise<void> {
  await query(`select pg_logical_emit_message(true, 'backup', 'heartbeat')::text as position`)
}

/** Determines the moment up to which the backup has every change. */
export type Freshness = {
  /**
   * Stores a reading (the end of the write-ahead log and the running transactions). `nextSegment` is the first segment
   * that the target does not have.
   */
  note(reading: LogReading, nextSegment: string | undefined): void
  /** Returns the moment up to which the backup has every change; undefined before the first segment was sent. */
  protectedMs(): number | undefined
  /**
   * Returns a moment before which every change is in the write-ahead log up to and including `segment`; undefined when
   * no such moment is known.
   */
  keptMs(segment: string): number | undefined
  /**
   * Whether a record has to be written into the write-ahead log, because nothing has changed for a while and the backup
   * may still lack the last change. The backup lacks it when a segment ended right after that change, between two
   * readings of the log position.
   */
  needsHeartbeat(nowMs: number): boolean
}

/** The maximum number of stored readings: two hours at one reading every five seconds. */
const mostReadings = 1_500
/**
 * The time in milliseconds without changes after which a record in the write-ahead log may be needed. PostgreSQL
 * archives a segment with changes sooner.
 */
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
      // If no transaction began or ended after the newest reading, nothing has changed since that reading.
      if (newest?.transactions === reading.transactions) newest = { ...newest, atMs: reading.atMs }
    },
    protectedMs: () => newest?.atMs,
    keptMs: (segment) => readings.findLast((reading) => reading.segment <= segment)?.atMs,
    needsHeartbeat: (nowMs) =>
      hasSentAll &&
      quietSince !== undefined &&
      nowMs - quietSince.atMs > quietMs &&
      newest?.transactions !== quietSince.transactions,
  }
}
