import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'

const drill = z.object({
  /** The time at which the drill ended: ISO 8601. */
  endedAt: z.string(),
  /** 'not_drilled': the drill could not restore or compare the backup; `reason` is a code for the cause. */
  outcome: z.enum(['proven', 'differs', 'not_drilled']),
  reason: z.nullable(z.string()),
  restoredSeconds: z.nullable(z.number()),
  tables: z.nullable(z.int()),
  rows: z.nullable(z.int()),
  files: z.nullable(z.int()),
  checkedFiles: z.nullable(z.int()),
  /** The names of tables whose rows differ, 'catalog' and 'files'. */
  differing: z.array(z.string()),
  /** The first object at the target that the drill found missing or damaged. */
  object: z.nullable(z.string()),
})

const backup = z.object({
  ok: z.literal(true),
  state: z.enum(['ok', 'late', 'failed', 'off']),
  /** The address of the target, without passwords; null without BACKUP_URL. */
  target: z.nullable(z.string()),
  /** Whether the target is on the disk of the data directory, so that the backup does not protect the shop. */
  isOnSameDisk: z.boolean(),
  /** Whether the backend is a hosted project, which may make backups of its own and keeps the passwords of staff. */
  isHosted: z.boolean(),
  /**
   * Whether the site makes a backup once a night, because the provider of the database gives no access to the
   * database's log.
   */
  isNightly: z.boolean(),
  /**
   * Whether a drill has proven the backup since an owner switched it on, its chain of changes broke, or its key
   * changed. While this is false, the shop is not protected.
   */
  isProven: z.boolean(),
  /** The number of nights since the last drill that proved the backup. */
  badNights: z.int(),
  /**
   * The time (ISO 8601) up to which the target has every change; null before the first full copy and after a break of
   * the chain of changes.
   */
  protectedUntil: z.nullable(z.string()),
  /**
   * The megabytes of changes that this machine stores until the target accepts them, and the limit above which this
   * machine discards changes; 0 without a spool.
   */
  waitingMegabytes: z.int(),
  waitingLimitMegabytes: z.int(),
  /** The reason why the target stores nothing, as a sentence, and the start of the problem. */
  problem: z.nullable(
    z.object({
      kind: z.enum(['full', 'refused', 'unreachable', 'emptied']),
      message: z.string(),
      since: z.string(),
    }),
  ),
  /**
   * The time (ISO 8601) since which this machine discards changes instead of storing them for the target, because the
   * limit was reached.
   */
  brokenSince: z.nullable(z.string()),
  /** The periods without restorable changes, because this machine discarded them above the limit; oldest first. */
  lostPeriods: z.array(z.object({ from: z.string(), to: z.string() })),
  lastFullCopyAt: z.nullable(z.string()),
  /** The first files, at most 10, whose newest version the target lacks, because the site cannot read them. */
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
   * The end of the oldest full copy. The owner can restore every moment from this one until `protectedUntil`, except
   * those in `lostPeriods`. Null until the site has read it from the target, and for a nightly backup, which can
   * restore only the moments of its copies.
   */
  restorableSince: z.nullable(z.string()),
  /** The size of all objects at the target; the site computes it after each full copy. */
  targetBytes: z.nullable(z.int()),
  keepDays: z.int(),
  /** Whether the target refuses to delete old copies, so that the target's own rules decide when they are deleted. */
  isDeletionRefused: z.boolean(),
  /** The shop time of the nightly drill, 'HH:mm'. */
  drillAt: z.string(),
  key: z.nullable(
    z.object({
      fingerprint: z.string(),
      /**
       * The person who confirmed that a copy of the key exists outside this machine, and the time of the confirmation.
       */
      confirmedAt: z.nullable(z.string()),
      confirmedBy: z.nullable(z.string()),
    }),
  ),
  /** The latest drills, newest first. */
  drills: z.array(drill),
  /** The current step and the start of the drill that this process runs; null while no drill runs. */
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
  /** Whether this shop was restored from a backup and has not yet read its newest invoices from Stripe. */
  areNumbersUnchecked: z.boolean(),
})

/**
 * The endpoints of the continuous backup. Owners and advisors read its state, owners change it. Each change returns the
 * new state.
 */
export const backupEndpoints = {
  read: { method: 'GET', path: '/api/backup', rights: 'admin', response: backup },
  /** Starts a drill, unless one is already running. A drill runs for several minutes. */
  drill: { method: 'POST', path: '/api/backup/drill', rights: 'owner', response: backup },
  /** Stops the running drill without a result. */
  stopDrill: {
    method: 'POST',
    path: '/api/backup/drill/stop',
    rights: 'owner',
    response: backup,
  },
  /** Connects to the target immediately, before the next scheduled attempt. */
  send: { method: 'POST', path: '/api/backup/send', rights: 'owner', response: backup },
  /** Downloads the key file. */
  keyFile: {
    method: 'POST',
    path: '/api/backup/key-file',
    rights: 'owner',
    stepUp: true,
    response: z.object({ ok: z.literal(true), content: z.string() }),
  },
  /** Records that the owner stores a copy of the key outside this machine. */
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
