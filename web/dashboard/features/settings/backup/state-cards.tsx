import type { Backup } from '#contracts/backup.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { lastProven, lostNow } from '#web/dashboard/kit/backup/backup-text.ts'
import { SettingsCard } from '../kit/settings-card.tsx'

/** The time of the last proven backup, and how many minutes of changes would be lost now. */
export function ProvenCard({ backup, readAtMs }: { backup: Backup; readAtMs: number }) {
  const proven = lastProven(backup)
  const lost = lostNow(backup, readAtMs)
  return (
    <SettingsCard title="Last proven backup">
      <p className="backup-proven">{proven ? formatStamp(proven.endedAt) : 'None yet'}</p>
      {proven && <p>Restored in {proven.restoredSeconds} s and compared with the shop.</p>}
      <p>
        {lost === undefined
          ? 'The target does not have every change.'
          : `${lost} would be lost if this machine burned now. The promise is at most 2 min.`}
      </p>
    </SettingsCard>
  )
}

/** The target of the backup, and the size of the log that is not sent yet. */
export function TargetCard({ backup }: { backup: Backup }) {
  const rows = [
    ['Target', backup.target],
    ['How often', 'Every change within 60 seconds, a full copy each day at 3:00 AM'],
    ['Last full copy', backup.lastFullCopyAt ? formatStamp(backup.lastFullCopyAt) : 'None yet'],
    ['Waiting here', backup.waitingMegabytes === 0 ? 'Nothing' : `${backup.waitingMegabytes} MB`],
    ['Kept for', `${backup.keepDays} days`],
    ['Drill', `Every night at ${formatTime(`${backup.drillAt}:00`)}`],
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
      {backup.problem && (
        <p>
          {backup.problem.message} Since {formatStamp(backup.problem.since)}. What waits is sent
          when the target answers.
        </p>
      )}
    </SettingsCard>
  )
}
