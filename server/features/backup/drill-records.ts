import type { Drill } from '#contracts/backup.ts'
import { type Query, rowsAs } from '@local/postgres'
import type { DrillResult } from '#server/platform/backup/drill/run-drill.ts'

const shownDrills = 10

/** Reads the records of the last restore drills (test restores), newest first. */
export async function readDrills(query: Query): Promise<Drill[]> {
  return rowsAs<Drill>(
    await query(
      `select to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "endedAt", outcome, reason,
         round(restored_ms / 1000.0)::integer as "restoredSeconds", table_count as tables, row_count::integer as rows,
         file_count as files, checked_file_count as "checkedFiles", differing, object
       from internal.backup_drills order by ended_at desc limit ${shownDrills}`,
    ),
  )
}

/** Whether a restore drill that started at or after `since` has proven that the backup can be restored. */
export async function hasProvenSince(query: Query, since: string): Promise<boolean> {
  const [row] = await query(
    `select from internal.backup_drills where outcome = 'proven' and started_at >= $1::timestamptz limit 1`,
    [since],
  )
  return row !== undefined
}

export type RecordedDrill = {
  readonly startedMs: number
  /** The incarnation (the backup history of one copy of the shop) whose backup was restored. */
  readonly incarnation: string | undefined
  readonly result:
    | DrillResult
    | { readonly outcome: 'not_drilled'; readonly reason: string; readonly object?: string }
}

export async function recordDrill(
  query: Query,
  { startedMs, incarnation: id, result }: RecordedDrill,
): Promise<void> {
  const startedAt = new Date(startedMs).toISOString()
  const incarnation = id ?? null
  if (result.outcome === 'not_drilled') {
    await query(
      `insert into internal.backup_drills (started_at, outcome, reason, incarnation, object)
       values (least($1::timestamptz, now()), 'not_drilled', $2, $3, $4)`,
      [startedAt, result.reason, incarnation, result.object ?? null],
    )
    return
  }
  const differing = [...result.differing, ...(result.differingFiles > 0 ? ['files'] : [])]
  await query(
    `insert into internal.backup_drills (started_at, outcome, restored_ms, table_count, row_count, file_count,
       checked_file_count, next_file_number, differing, incarnation, object)
     values (least($1::timestamptz, now()), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      startedAt,
      result.outcome,
      result.restoredMs,
      result.tables,
      result.rows,
      result.files,
      result.checkedFiles,
      result.nextNumber,
      differing,
      incarnation,
      result.object ?? null,
    ],
  )
}

/**
 * Returns the number of the first backup file that no successful restore drill of this incarnation (the backup history
 * of one copy of the shop) has checked.
 */
export async function readNextFileNumber(query: Query, incarnation: string): Promise<number> {
  const [row] = rowsAs<{ number: number | null }>(
    await query(
      `select max(next_file_number) as number from internal.backup_drills where outcome = 'proven' and incarnation = $1`,
      [incarnation],
    ),
  )
  return row?.number ?? 0
}
