import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'

const drill = z.object({
  /** ISO 8601. */
  endedAt: z.string(),
  /** 'not_drilled': the backup could not be restored or compared; `reason` is a word for why. */
  outcome: z.enum(['proven', 'differs', 'not_drilled']),
  reason: z.nullable(z.string()),
  restoredSeconds: z.nullable(z.number()),
  tables: z.nullable(z.int()),
  rows: z.nullable(z.int()),
  files: z.nullable(z.int()),
  checkedFiles: z.nullable(z.int()),
  /** The names of tables whose rows differ, 'catalog' and 'files'. */
  differing: z.array(z.string()),
  /** The first object at the target that was missing or damaged. */
  object: z.nullable(z.string()),
})

const backup = z.object({
  ok: z.literal(true),
  state: z.enum(['ok', 'late', 'failed', 'off']),
  /** The address of the target, without passwords; null without BACKUP_URL. */
  target: z.nullable(z.string()),
  /** Whether the target is on the disk of the data directory, so that it does not protect the shop. */
  isOnSameDisk: z.boolean(),
  /** Whether the backend is a hosted project, which may make backups of its own and keeps the passwords of staff. */
  isHosted: z.boolean(),
  /** Whether a backup is made once a night, because the provider of the database keeps its log. */
  isNightly: z.boolean(),
  /**
   * Whether a drill has proven the backup since it was switched on, its chain broke, or its key changed. Otherwise the
   * shop is not protected yet.
   */
  isProven: z.boolean(),
  /** The number of nights without a proven backup since the last proven one. */
  badNights: z.int(),
  /** ISO 8601: the target has every change up to this moment; null before the first full copy and after a break. */
  protectedUntil: z.nullable(z.string()),
  /** The size of what waits on this machine, and at what size no more is kept; 0 without a spool. */
  waitingMegabytes: z.int(),
  waitingLimitMegabytes: z.int(),
  /** Why the target stores nothing, as a sentence, and since when. */
  problem: z.nullable(
    z.object({
      kind: z.enum(['full', 'refused', 'unreachable', 'emptied']),
      message: z.string(),
      since: z.string(),
    }),
  ),
  /** Since when changes are not kept for the target, because too much was waiting. */
  brokenSince: z.nullable(z.string()),
  /** The periods of which no moment can be restored, because too much was waiting; the oldest first. */
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
   * The end of the oldest full copy: every moment from then until `protectedUntil`, except those in `lostPeriods`, can be
   * restored. Null before it is known, and for a nightly backup, which can restore only the moments of its copies.
   */
  restorableSince: z.nullable(z.string()),
  /** The size of all objects at the target, which is counted after each full copy. */
  targetBytes: z.nullable(z.int()),
  keepDays: z.int(),
  /** Whether the target refuses to delete old copies, so that its own rules decide when they are deleted. */
  isDeletionRefused: z.boolean(),
  /** The shop time of the nightly drill, 'HH:mm'. */
  drillAt: z.string(),
  key: z.nullable(
    z.object({
      fingerprint: z.string(),
      /** When and by whom a copy off this machine was confirmed. */
      confirmedAt: z.nullable(z.string()),
      confirmedBy: z.nullable(z.string()),
    }),
  ),
  /** The newest drills, the latest first. */
  drills: z.array(drill),
  /** The step and the start of the drill that this process runs now; null while none runs. */
  runningDrill: z.nullable(
    z.object({
      step: z.enum(['marking', 'copying', 'recovering', 'comparing']),
      since: z.string(),
    }),
  ),
  /**
   * The unsent emails of a restored shop, oldest first, which an admin has to release; null when no emails are paused.
   */
  pausedEmails: z.nullable(
    z.object({
      waiting: z.int(),
      recoveredUntil: z.string(),
      /** The oldest emails, at most 50. */
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
  /** Whether this shop was restored, and Stripe has not named its newest invoices since then. */
  areNumbersUnchecked: z.boolean(),
})

/** The continuous backup. Everyone at the counter sees its state, owners change it. Each change returns the state after it. */
export const backupEndpoints = {
  read: { method: 'GET', path: '/api/backup', rights: 'admin', response: backup },
  /** Starts a drill, which takes minutes, unless one is running. */
  drill: { method: 'POST', path: '/api/backup/drill', rights: 'owner', response: backup },
  /** Ends the running drill without a result. */
  stopDrill: {
    method: 'POST',
    path: '/api/backup/drill/stop',
    rights: 'owner',
    response: backup,
  },
  /** Tries to reach the target now, without waiting for the next attempt. */
  send: { method: 'POST', path: '/api/backup/send', rights: 'owner', response: backup },
  /** Returns the key file. */
  keyFile: {
    method: 'POST',
    path: '/api/backup/key-file',
    rights: 'owner',
    stepUp: true,
    response: z.object({ ok: z.literal(true), content: z.string() }),
  },
  /** Records that the owner keeps a copy of the key off this machine. */
  confirmKey: {
    method: 'POST',
    path: '/api/backup/key-copy',
    rights: 'owner',
    request: z.object({ fingerprint: z.string().check(z.maxLength(20)) }),
    response: backup,
  },
  /** Lets the emails of a restored shop go. */
  resumeEmails: { method: 'POST', path: '/api/backup/emails', rights: 'owner', response: backup },
} satisfies Record<string, Endpoint>

export type Backup = Omit<ResponseOf<typeof backupEndpoints.read>, 'ok'>
export type Drill = Backup['drills'][number]
