import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'

const drill = z.object({
  /** ISO 8601. */
  endedAt: z.string(),
  /** 'not_drilled': the backup could not be restored or compared; `reason` is a code for the cause. */
  outcome: z.enum(['proven', 'differs', 'not_drilled']),
  reason: z.nullable(z.string()),
  restoredSeconds: z.nullable(z.number()),
  tables: z.nullable(z.int()),
  rows: z.nullable(z.int()),
  files: z.nullable(z.int()),
  checkedFiles: z.nullable(z.int()),
  /** What differs: the names of tables, 'catalog' for the schema, 'files' for the files. */
  differing: z.array(z.string()),
})

const backup = z.object({
  ok: z.literal(true),
  state: z.enum(['ok', 'late', 'failed', 'off']),
  /** The address of the target, without passwords; null without BACKUP_URL. */
  target: z.nullable(z.string()),
  /** Whether the target is on the disk of the data directory, so that it does not protect the shop. */
  isOnSameDisk: z.boolean(),
  /** ISO 8601: the target has every change up to this moment; null before the first full copy and after a break. */
  protectedUntil: z.nullable(z.string()),
  /** The size of the log on this machine that the target does not have yet. */
  waitingMegabytes: z.int(),
  /** The reason, as a sentence, why the target stores nothing, and the time since when. */
  problem: z.nullable(z.object({ message: z.string(), since: z.string() })),
  /** The time since which changes are no longer kept for the target, because the unsent log became too large. */
  brokenSince: z.nullable(z.string()),
  lastFullCopyAt: z.nullable(z.string()),
  keepDays: z.int(),
  /** The shop time of the nightly drill, 'HH:mm'. */
  drillAt: z.string(),
  key: z.nullable(
    z.object({
      fingerprint: z.string(),
      /** When, and which admin, confirmed that a copy of the key exists on another machine. */
      confirmedAt: z.nullable(z.string()),
      confirmedBy: z.nullable(z.string()),
    }),
  ),
  /** The last drills, newest first. */
  drills: z.array(drill),
  /** The step of the drill that this process runs now. */
  runningDrill: z.nullable(z.enum(['marking', 'copying', 'recovering', 'comparing'])),
  /** The unsent emails of a restored shop, which an admin has to release; null when no emails are paused. */
  pausedEmails: z.nullable(z.object({ waiting: z.int(), recoveredUntil: z.string() })),
})

/** The continuous backup, for admins. Each endpoint returns the state of the backup after the call. */
export const backupEndpoints = {
  read: { method: 'GET', path: '/api/backup', rights: 'admin', response: backup },
  /** Starts a drill, which takes minutes, unless one is running. */
  drill: { method: 'POST', path: '/api/backup/drill', rights: 'admin', response: backup },
  /** Records that the owner keeps a copy of the key on another machine. */
  confirmKey: {
    method: 'POST',
    path: '/api/backup/key-copy',
    rights: 'admin',
    request: z.object({ fingerprint: z.string().check(z.maxLength(20)) }),
    response: backup,
  },
  /** Ends the pause of the emails of a restored shop. */
  resumeEmails: { method: 'POST', path: '/api/backup/emails', rights: 'admin', response: backup },
} satisfies Record<string, Endpoint>

export type Backup = Omit<ResponseOf<typeof backupEndpoints.read>, 'ok'>
export type Drill = Backup['drills'][number]
