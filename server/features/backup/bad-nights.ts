import { type Owner, writeOwnerNotice } from '#emails/setup/owner-notice.ts'
import { type Query, rowsAs } from '@local/postgres'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'

/**
 * Counts the nights since the last successful restore drill. A restore drill restores the backup and compares the
 * restored copy with the shop; a backup is proven if this comparison succeeds.
 */
export type BadNights = {
  /**
   * The end of the last successful restore drill, in PostgreSQL's text format; '-infinity' before the first successful
   * drill.
   */
  readonly provenAt: string
  readonly count: number
}

/** The maximum number of consecutive nights without a successful restore drill before the owner receives an email. */
const toleratedNights = 1

export async function readBadNights(query: Query): Promise<BadNights> {
  const [state] = rowsAs<BadNights>(
    await query(
      `with proven as (select coalesce(max(ended_at), '-infinity') as at from internal.backup_drills where outcome = 'proven')
       select (select at from proven)::text as "provenAt", count(distinct (ended_at at time zone (select time_zone from public.shop))::date)::integer as count
       from internal.backup_drills where ended_at > (select at from proven)`,
    ),
  )
  return state ?? { provenAt: '-infinity', count: 0 }
}

/**
 * Emails the owner once after two consecutive nights without a successful restore drill, and once when a later drill
 * succeeds. The dedupe key of each email contains the end of the last successful drill, so each email is sent once.
 */
export async function notifyAboutNights(query: Query, owner: Owner): Promise<void> {
  const { provenAt, count } = await readBadNights(query)
  if (count > toleratedNights) await queueOwnerNotice(query, writeBadNotice(owner, provenAt))
  const again = await readProvenAgain(query)
  if (again !== undefined) await queueOwnerNotice(query, writeGoodNotice(owner, again))
}

/**
 * Returns the end of the latest restore drill that ended a series of at least two nights without a successful drill;
 * undefined if no such drill ended in the last two days.
 */
async function readProvenAgain(query: Query): Promise<string | undefined> {
  const [first] = rowsAs<{ provenAt: string }>(
    await query(
      `select good.ended_at::text as "provenAt" from internal.backup_drills good
       where good.outcome = 'proven' and good.ended_at > now() - interval '2 days'
         and (select count(distinct (bad.ended_at at time zone (select time_zone from public.shop))::date)
              from internal.backup_drills bad
              where bad.ended_at < good.ended_at and bad.ended_at > (select coalesce(max(before.ended_at), '-infinity')
                from internal.backup_drills before where before.outcome = 'proven' and before.ended_at < good.ended_at)) > ${toleratedNights}
       order by good.ended_at desc limit 1`,
    ),
  )
  return first?.provenAt
}

function writeBadNotice(owner: Owner, provenAt: string) {
  return writeNotice(owner, `backup:${provenAt}`, {
    subject: 'The nightly backup drill failed for two nights',
    preview: 'Records could be lost if this server fails.',
    texts: [
      'Every night, a drill restores the newest backup to a test copy and compares the copy with the shop. The drill failed for two nights. The shop works as usual, but records could be lost if this server fails.',
      'Settings > Backup in the dashboard shows the reason and what to do. You receive another email when a drill succeeds again.',
    ],
  })
}

function writeGoodNotice(owner: Owner, provenAt: string) {
  return writeNotice(owner, `backup-good:${provenAt}`, {
    subject: 'The nightly backup drill succeeded again',
    preview: 'The nightly drill restored the newest backup and found no difference from the shop.',
    texts: [
      'The nightly drill restored the newest backup and found no difference from the shop. Settings > Backup in the dashboard shows whether some points in time cannot be restored.',
    ],
  })
}

type Notice = { subject: string; preview: string; texts: readonly string[] }

function writeNotice(owner: Owner, key: string, { subject, preview, texts }: Notice) {
  return writeOwnerNotice(owner, {
    key,
    line: subject,
    subject,
    preview,
    heading: subject,
    parts: texts.map((text) => ({ kind: 'paragraph' as const, text })),
    reason: "You're receiving this email as the owner of the shop.",
  })
}
