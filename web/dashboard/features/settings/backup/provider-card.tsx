import type { Backup } from '#contracts/backup.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { formatSeconds, lastProven, lostSeconds } from '#web/dashboard/kit/backup/backup-text.ts'
import { SettingsCard } from '../kit/settings-card.tsx'

/**
 * Explains which data the nightly backup protects, and which data it does not protect, if a hosting provider runs the
 * database.
 */
export function ProviderCard({ backup, readAtMs }: { backup: Backup; readAtMs: number }) {
  const proven = lastProven(backup)
  const lost = lostSeconds(backup, readAtMs)
  const { isHosted } = backup
  return (
    <SettingsCard
      title={
        isHosted
          ? 'Supabase keeps the write-ahead log'
          : 'Your database provider keeps the write-ahead log'
      }
    >
      <p>
        {isHosted
          ? 'Database, Backups in the Supabase dashboard shows how far back the write-ahead log goes.'
          : 'Ask the provider how far back the write-ahead log goes.'}{' '}
        A drill checks a copy every night:{' '}
        {proven ? `last proven ${formatStamp(proven.endedAt)}.` : 'none is proven yet.'}
      </p>
      <p>
        Up to 24 hours could be lost with this copy alone.
        {lost !== undefined &&
          ` The copy now lacks the changes of the last ${formatSeconds(lost)}.`}
      </p>
      {isHosted && (
        <p>
          The copy contains no passwords, because Supabase keeps them. A restored shop has its own
          database; the restore prints the command with which an owner signs in.
        </p>
      )}
    </SettingsCard>
  )
}
