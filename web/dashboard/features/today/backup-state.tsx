import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Backup } from '#contracts/backup.ts'
import { backupQuery } from '#web/dashboard/kit/backup/backup-query.ts'
import {
  backupProblem,
  describeProtection,
  formatMoment,
  lastProven,
  missingProtection,
} from '#web/dashboard/kit/backup/backup-text.ts'
import { settingsLink } from '#web/dashboard/kit/navigation/links.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Notice } from '#web/ui/notice/notice.tsx'

/**
 * The warning at the top of the Today page while the backup does not protect the shop, or while a shop restored from a
 * backup sends no email. A single failed restore drill (a test that restores the backup) causes no warning, only a
 * different last line of the page, because the next drill usually succeeds.
 */
export function BackupWarning() {
  const { data } = useQuery(backupQuery)
  const today = useShopToday()
  if (!data) return null
  const { pausedEmails } = data
  const problem = isUrgent(data) ? backupProblem(data) : undefined
  if (!problem && !pausedEmails) return null
  return (
    <Notice
      tone={pausedEmails ? 'warn' : 'bad'}
      title={
        pausedEmails
          ? 'Emails are paused: this shop was restored from a backup.'
          : describeWarning(data, today)
      }
    >
      {!pausedEmails && problem?.text}{' '}
      <Link className="touch-link" {...settingsLink('backup')}>
        What to do
      </Link>
    </Notice>
  )
}

const isUrgent = ({ target, badNights, brokenSince, problem, state }: Backup) =>
  target !== null &&
  (badNights > 1 || brokenSince !== null || (problem !== null && state === 'failed'))

/**
 * Returns the title of the warning. After several failed restore drills, the title states when a drill last succeeded.
 */
function describeWarning(backup: Backup, today: string): string | undefined {
  const proven = lastProven(backup)
  return backup.badNights > 1 && backup.brokenSince === null && proven
    ? `No proven backup since ${formatMoment(proven.endedAt, today)}.`
    : backupProblem(backup)?.title
}

/** The last line of the Today page: when a restore drill last succeeded, or which protection the backup lacks. */
export function BackupLine() {
  const { data, dataUpdatedAt } = useQuery(backupQuery)
  const today = useShopToday()
  if (!data) return null
  const problem = data.target === null ? undefined : backupProblem(data)
  const missing = missingProtection(data, dataUpdatedAt).join(' ')
  const good = describeProtection(data, today, dataUpdatedAt)
  return (
    <p className="today-backup">
      {problem?.title ?? (missing || good)}{' '}
      <Link className="touch-link" {...settingsLink('backup')}>
        Backup
      </Link>
    </p>
  )
}
