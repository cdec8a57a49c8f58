import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'

const drill = z.object({
  /** The time (ISO 8601) at which the restore drill (a test that restores the backup) ended. */
  endedAt: z.string(),
  /**
   * The result of the restore drill. 'not_drilled': the restore drill could not restore or compare the backup; `reason`
   * is a code for the cause.
   */
  outcome: z.enum(['proven', 'differs', 'not_drilled']),
  reason: z.nullable(z.string()),
  restoredSeconds: z.nullable(z.number()),
  tables: z.nullable(z.int()),
  rows: z.nullable(z.int()),
  files: z.nullable(z.int()),
  checkedFiles: z.nullable(z.int()),
  /**
   * The differences that the restore drill found: the names of tables whose rows differ, 'catalog' when the schema
   * differs, and 'files' when stored files differ.
   */
  differing: z.array(z.string()),
  /** The first object in the backup storage that the restore drill found missing or damaged. */
  object: z.nullable(z.string()),
})

const backup = z.object({
  ok: z.literal(true),
  state: z.enum(['ok', 'late', 'failed', 'off']),
  /** The URL of the backup storage (the target), without passwords; null without BACKUP_URL. */
  target: z.nullable(z.string()),
  /**
   * Whether the backup target is on the same disk as the data directory, so that the backup does not protect the shop
   * against a disk failure.
   */
  isOnSameDisk: z.boolean(),
  /**
   * Whether the backend is a hosted Supabase project. Such a project may make its own backups, and it stores the
   * passwords of staff.
   */
  isHosted: z.boolean(),
  /**
   * Whether the site makes one backup each night instead of a continuous backup, because the database provider gives no
   * access to PostgreSQL's write-ahead log.
   */
  isNightly: z.boolean(),
  /**
   * Whether a restore drill has found the backup complete since the latest of these events: an owner switched the
   * backup on, changes were lost before they reached the backup, the backup key changed. While the value is false, the
   * shop is not protected.
   */
  isProven: z.boolean(),
  /** The number of nights since a restore drill last found the backup complete. */
  badNights: z.int(),
  /**
   * The time (ISO 8601) up to which the backup target has every change of the database; null before the first full
   * backup and after a gap in the stored changes.
   */
  protectedUntil: z.nullable(z.string()),
  /**
   * The megabytes of database changes that this machine keeps until the backup target accepts them, and the limit above
   * which this machine discards changes. Both are 0 when this machine has no folder for waiting changes.
   */
  waitingMegabytes: z.int(),
  waitingLimitMegabytes: z.int(),
  /**
   * The problem that prevents the site from storing the backup at the backup target: its kind, a sentence that
   * describes the problem, and the time at which the problem began.
   */
  problem: z.nullable(
    z.object({
      kind: z.enum(['full', 'refused', 'unreachable', 'emptied']),
      message: z.string(),
      since: z.string(),
    }),
  ),
  /**
   * The time (ISO 8601) since which this machine discards database changes instead of keeping them for the backup
   * target, because `waitingLimitMegabytes` was exceeded.
   */
  brokenSince: z.nullable(z.string()),
  /**
   * The periods whose database changes cannot be restored, oldest first. This machine discarded these changes, because
   * the changes that waited for the backup target exceeded `waitingLimitMegabytes`.
   */
  lostPeriods: z.array(z.object({ from: z.string(), to: z.string() })),
  lastFullCopyAt: z.nullable(z.string()),
  /** Files (at most 10) whose newest version is missing in the backup, because the site cannot read them. */
  skippedFiles: z.array(
    z.object({
      /** The path below DATA_DIR. */
      path: z.string(),
      /** 'too large': above 2 GiB. */
      problem: z.enum(['too large', 'unreadable']),
    }),
  ),
  skippedFileCount: z.int(),
  /**
   * The time at which the oldest full backup at the backup target was complete. The owner can restore every moment from
   * then until `protectedUntil`, except those in `lostPeriods`. Null until the site has read this time from the backup
   * target. Always null for a nightly backup, from which only the moments of its copies can be restored.
   */
  restorableSince: z.nullable(z.string()),
  /** The size, in bytes, of all objects at the backup target; the site computes the size after each full backup. */
  targetBytes: z.nullable(z.int()),
  keepDays: z.int(),
  /**
   * Whether the backup target refuses to delete old copies, so that the target's own rules decide when they are
   * deleted.
   */
  isDeletionRefused: z.boolean(),
  /** The shop time of the nightly restore drill: 'HH:mm'. */
  drillAt: z.string(),
  key: z.nullable(
    z.object({
      fingerprint: z.string(),
      /**
       * The time at which an owner confirmed that a copy of the backup key is stored outside this machine, and the name
       * of this owner.
       */
      confirmedAt: z.nullable(z.string()),
      confirmedBy: z.nullable(z.string()),
    }),
  ),
  /** The latest restore drills, newest first. */
  drills: z.array(drill),
  /** The restore drill that this server process runs: its current step and its start time. Null while none runs. */
  runningDrill: z.nullable(
    z.object({
      step: z.enum(['marking', 'copying', 'recovering', 'comparing']),
      since: z.string(),
    }),
  ),
  /**
   * The unsent emails of a restored shop, oldest first. The site sends them only after an admin has released them. Null
   * when no emails are paused.
   */
  pausedEmails: z.nullable(
    z.object({
      waiting: z.int(),
      recoveredUntil: z.string(),
      /** The oldest paused emails, at most 50. */
      emails: z.array(
        z.object({
          id: z.string(),
          subject: z.string(),
          recipient: z.string(),
          queuedAt: z.string(),
        }),
      ),
    }),
  ),
  /** Whether this shop was restored from a backup and has not yet read the newest invoices from Stripe. */
  areNumbersUnchecked: z.boolean(),
})

/**
 * The endpoints of the backup. Owners and advisors can read the state of the backup. Only owners can start a restore
 * drill or change the backup; such a request returns the new state of the backup.
 */
export const backupEndpoints = {
  read: { method: 'GET', path: '/api/backup', rights: 'admin', response: backup },
  /** Starts a restore drill, unless one is already running. A restore drill runs for several minutes. */
  drill: { method: 'POST', path: '/api/backup/drill', rights: 'owner', response: backup },
  /** Stops the running restore drill, which then has no result. */
  stopDrill: {
    method: 'POST',
    path: '/api/backup/drill/stop',
    rights: 'owner',
    response: backup,
  },
  /** Connects to the backup target immediately, before the next scheduled attempt. */
  send: { method: 'POST', path: '/api/backup/send', rights: 'owner', response: backup },
  /** Downloads the key file. */
  keyFile: {
    method: 'POST',
    path: '/api/backup/key-file',
    rights: 'owner',
    stepUp: true,
    response: z.object({ ok: z.literal(true), content: z.string() }),
  },
  /** Records that the owner stores a copy of the backup key outside this machine. */
  confirmKey: {
    method: 'POST',
    path: '/api/backup/key-copy',
    rights: 'owner',
    request: z.object({ fingerprint: z.string().check(z.maxLength(20)) }),
    response: backup,
  },
  /** Releases the paused emails of a restored shop, so that the site sends them. */
  resumeEmails: { method: 'POST', path: '/api/backup/emails', rights: 'owner', response: backup },
} satisfies Record<string, Endpoint>

export type Backup = Omit<ResponseOf<typeof backupEndpoints.read>, 'ok'>
export type Drill = Backup['drills'][number]
