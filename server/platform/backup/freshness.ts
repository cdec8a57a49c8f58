import { type Query, rowsAs } from '@local/postgres'

/** The end of the write-ahead log and the running transactions at one time. */
export type LogReading = {
  readonly atMs: number
  /** The segment that contains the end of the write-ahead log. */
  readonly segment: string
  /**
   * PostgreSQL's snapshot of the ended and the open transactions, as text. If two log readings have equal texts,
   * nothing changed in the database between the readings.
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
   * Whether a small record must be written into the write-ahead log. True if nothing has changed for a while and the
   * log readings do not prove that the backup contains the last change. For example, if a segment ended between two
   * readings, the change may be in this segment or in the next one.
   */
  needsHeartbeat(nowMs: number): boolean
}

/** The maximum number of stored log readings. The log is read every five seconds, so the readings cover two hours. */
const mostReadings = 1_500
/**
 * If nothing changed for this many milliseconds, a record in the write-ahead log may be needed (`needsHeartbeat`).
 * PostgreSQL archives a segment with changes sooner.
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
      // If no transaction began or ended since the log reading `newest`, nothing has changed in the database since
      // then.
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
