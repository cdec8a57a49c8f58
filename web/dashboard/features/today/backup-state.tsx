import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { backupQuery } from '#web/dashboard/kit/backup/backup-query.ts'
import {
  backupProblem,
  lastProven,
  missingProtection,
} from '#web/dashboard/kit/backup/backup-text.ts'
import { settingsLink } from '#web/dashboard/kit/navigation/links.ts'
import { Notice } from '#web/ui/notice/notice.tsx'

/** A warning above the day while the shop is not protected, or while emails of a restored shop wait. */
export function BackupWarning() {
  const { data } = useQuery(backupQuery)
  if (!data) return null
  const problem = data.target === null ? undefined : backupProblem(data)
  const { pausedEmails } = data
  if (!problem && !pausedEmails) return null
  return (
    <Notice
      tone="warn"
      title={pausedEmails ? 'Emails are paused: this shop was restored.' : problem}
    >
      <Link className="touch-link" {...settingsLink('backup')}>
        What to do
      </Link>
    </Notice>
  )
}

/** The last line of the page: how old the last proven backup is, or what is missing. */
export function BackupLine() {
  const { data } = useQuery(backupQuery)
  if (!data) return null
  const proven = lastProven(data)
  const missing = missingProtection(data)
  return (
    <p className="today-backup">
      {missing ?? `Last proven backup ${proven ? formatShortStamp(proven.endedAt) : ''}.`}{' '}
      <Link className="touch-link" {...settingsLink('backup')}>
        Backup
      </Link>
    </p>
  )
}
