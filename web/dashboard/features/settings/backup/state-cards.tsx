import type { Backup } from '#contracts/backup.ts'
import { formatBytes } from '#domain/backup/format-bytes.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatStamp, shopClock } from '#domain/calendar/shop-time.ts'
import {
  formatMegabytes,
  formatSeconds,
  lastProven,
  lostSeconds,
  promisedSeconds,
} from '#web/dashboard/kit/backup/backup-text.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { TargetProblem } from './target-problem.tsx'

/**
 * Shows when a restore drill (a test that restores the backup) last succeeded, and how many seconds of changes the shop
 * would lose if this computer were lost now.
 */
export function ProvenCard({ backup, readAtMs }: { backup: Backup; readAtMs: number }) {
  const proven = lastProven(backup)
  const lost = lostSeconds(backup, readAtMs)
  const today = useShopToday()
  return (
    <SettingsCard title="Last proven backup">
      <p className="backup-proven">{proven ? describeMoment(proven.endedAt, today) : 'None yet'}</p>
      {proven?.restoredSeconds != null && (
        <p className="backup-checked">
          <Icon name="check" />
          Restored and checked in {formatSeconds(proven.restoredSeconds)}
        </p>
      )}
      {lost === undefined ? (
        <p>The backup target lacks some changes.</p>
      ) : (
        <div className="backup-loss">
          <meter
            aria-label="Seconds of changes that only this machine has"
            max={promisedSeconds}
            high={promisedSeconds * 0.75}
            value={lost}
          />
          <p>
            <b>{formatSeconds(lost)} would be lost if this machine burned now</b>
            <span className="muted">promise: at most 2 min</span>
          </p>
        </div>
      )}
    </SettingsCard>
  )
}

/** An instant as text: 'Today, 3:10 AM', or the date and the time. */
function describeMoment(iso: string, today: string): string {
  const { date, time } = shopClock(new Date(iso))
  return date === today ? `Today, ${formatTime(time)}` : formatStamp(iso)
}

/** Shows the storage target of the backup, and the amount of data that the target has not received yet. */
export function TargetCard({ backup }: { backup: Backup }) {
  const { lastFullCopyAt, targetBytes, waitingMegabytes, drillAt, problem } = backup
  const rows = [
    ['Target', `${backup.target} (BACKUP_URL)`],
    [
      'How often',
      backup.isNightly
        ? 'A full copy each day at 3:00 AM'
        : 'Every change within 60 seconds, a full copy each day at 3:00 AM',
    ],
    ['Last full copy', lastFullCopyAt ? formatStamp(lastFullCopyAt) : 'None yet'],
    [
      'Space there',
      targetBytes === null ? 'Unknown before a full copy' : `${formatBytes(targetBytes)} used`,
    ],
    ['Waiting here', waitingMegabytes === 0 ? 'Nothing' : formatMegabytes(waitingMegabytes)],
    ['Kept for', keptText(backup)],
    ['Drill', `Every night at ${formatTime(`${drillAt}:00`)}`],
  ]
  return (
    <SettingsCard title="Where it goes">
      <dl className="process-settings">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {problem && <TargetProblem backup={backup} problem={problem} />}
    </SettingsCard>
  )
}

/** States how long the target stores backups, and which environment variable defines this time. */
function keptText({ keepDays, isDeletionRefused }: Backup): string {
  return isDeletionRefused
    ? `At least ${keepDays} days. The target does not let the shop delete backups, and deletes them by its own rules`
    : `${keepDays} days (BACKUP_KEEP_DAYS where the site runs)`
}
