import type { Backup } from '#contracts/backup.ts'
import { formatShortStamp, formatStamp, shopClock } from '#domain/calendar/shop-time.ts'
import { SettingsCard } from '../kit/settings-card.tsx'
import { Command } from './command.tsx'

type Props = {
  target: string
  /**
   * The earliest moment to which the shop can be restored (ISO 8601); null when it is unknown, or when only single
   * nightly backups can be restored.
   */
  since: string | null
  /**
   * The latest moment to which the shop can be restored (ISO 8601); undefined when only nightly backups can be
   * restored.
   */
  at: string | undefined
  lostPeriods: Backup['lostPeriods']
}

/** Shows the command that restores the backup on this or another machine. */
export function RestoreCard({ target, since, at, lostPeriods }: Props) {
  const moment = at === undefined ? '' : ` --at '${shopMoment(at)}'`
  return (
    <SettingsCard title="Restore">
      <p>
        Run this command on this or another machine. It restores the shop into an empty folder. The
        running shop is not changed.
      </p>
      <Command
        command={`npm run restore -- --from ${target}${moment}`}
        what="The command that restores the backup."
      />
      <p className="hint">
        {since !== null && at !== undefined && describeRange(since, at)}
        {at === undefined &&
          'With --at and a date and time at the shop, the command restores the newest copy that ended before that time. '}
        Without <code className="nowrap">--at</code>, the command restores the newest state. It
        refuses a folder that is not empty, and prints the time up to which it restored the shop.
      </p>
      {lostPeriods.length > 0 && <LostPeriods periods={lostPeriods} />}
    </SettingsCard>
  )
}

/**
 * Lists the periods whose changes the backup lacks, because this machine had no space left for changes that the storage
 * target had not received. The shop cannot be restored to a moment in such a period.
 */
function LostPeriods({ periods }: { periods: Backup['lostPeriods'] }) {
  return (
    <>
      <p>The shop can be restored to every moment, except those in these periods:</p>
      <ul className="backup-lost" aria-label="Periods that cannot be restored">
        {periods.map(({ from, to }) => (
          <li key={from}>
            {formatShortStamp(from)} to {formatShortStamp(to)}
          </li>
        ))}
      </ul>
    </>
  )
}

/**
 * Describes the period within which the user can choose a moment for the option `--at` of the restore command. The
 * start of the period is rounded up to a full minute, because the first full backup may have ended in the middle of a
 * minute.
 */
function describeRange(since: string, until: string): string {
  const sinceMs = Math.ceil(Date.parse(since) / 60_000) * 60_000
  if (sinceMs > Date.parse(until)) return ''
  return `The shop can be restored to any second from ${formatStamp(new Date(sinceMs).toISOString())}, to ${formatStamp(until)}. `
}

function shopMoment(iso: string): string {
  const { date, time } = shopClock(new Date(iso))
  return `${date} ${time}`
}
