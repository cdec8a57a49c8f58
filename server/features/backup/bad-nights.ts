import { type Owner, writeOwnerNotice } from '#emails/setup/owner-notice.ts'
import { type Query, rowsAs } from '@local/postgres'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'

/** Notifies the owner once when no backup was proven in two nights in a row. */
export async function notifyAfterBadNights(query: Query, owner: Owner): Promise<void> {
  const [state] = rowsAs<{ provenAt: string; badNights: number }>(
    await query(
      `with proven as (select coalesce(max(ended_at), '-infinity') as at from internal.backup_drills where outcome = 'proven')
       select (select at from proven)::text as "provenAt", count(distinct (ended_at at time zone (select time_zone from public.shop))::date)::integer as "badNights"
       from internal.backup_drills where ended_at > (select at from proven)`,
    ),
  )
  if (!state || state.badNights < 2) return
  await queueOwnerNotice(query, writeBackupNotice(owner, state.provenAt))
}

function writeBackupNotice(owner: Owner, provenAt: string) {
  const subject = 'No proven backup for two nights'
  return writeOwnerNotice(owner, {
    key: `backup:${provenAt}`,
    line: subject,
    subject,
    preview: 'If this machine burns, records are lost.',
    heading: subject,
    parts: [
      {
        kind: 'paragraph',
        text: 'The nightly drill restores the newest backup and compares it with the shop. It did not succeed for two nights. The shop works as always, but if this machine is lost, records could be lost.',
      },
      {
        kind: 'paragraph',
        text: 'The dashboard shows the reason and what to do: Settings, Backup.',
      },
    ],
    reason: "You're receiving this email as the owner of the shop.",
  })
}
