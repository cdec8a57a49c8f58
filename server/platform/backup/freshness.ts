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

/** Computes up to which moment the target has every change. */
export type Freshness = {
  /** `nextSegment` is the first segment that the target does not have. */
  note(reading: LogReading, nextSegment: string | undefined): void
  /** Undefined before the target has everything up to any moment. */
  protectedMs(): number | undefined
}

/** The readings that are kept: two hours at one reading every five seconds. */
const mostReadings = 1_500

export function createFreshness(): Freshness {
  let readings: LogReading[] = []
  let newest: LogReading | undefined
  return {
    note(reading, nextSegment) {
      readings = [...readings.slice(1 - mostReadings), reading]
      if (nextSegment === undefined) return
      const sent = readings.filter(({ segment }) => segment < nextSegment)
      newest = sent.at(-1) ?? newest
      readings = readings.filter(({ segment }) => segment >= nextSegment)
      // Without another transaction, nothing has changed since that reading.
      if (newest?.transactions === reading.transactions) newest = { ...newest, atMs: reading.atMs }
    },
    protectedMs: () => newest?.atMs,
  }
}
