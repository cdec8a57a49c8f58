import type { Backup } from '#contracts/backup.ts'
import { formatShortStamp, formatStamp, shopClock } from '#domain/calendar/shop-time.ts'
import { SettingsCard } from '../kit/settings-card.tsx'
import { Command } from './command.tsx'

type Props = {
  target: string
  /** ISO 8601: the first moment that can be restored; null when it is not known, or only single moments can be. */
  since: string | null
  /** ISO 8601: the last moment that can be restored; undefined when only the moments of nightly copies can be. */
  at: string | undefined
  lostPeriods: Backup['lostPeriods']
}

/** The command that restores the backup on another machine. */
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
          'With --at and a time of the shop, the command restores the newest copy that ended before that time. '}
        Without <code className="nowrap">--at</code>, the command restores the newest state. It
        refuses a folder that is not empty, and prints the time up to which it restored the shop.
      </p>
      {lostPeriods.length > 0 && <LostPeriods periods={lostPeriods} />}
    </SettingsCard>
  )
}

/** The moments that no restore can bring back, because too much was waiting for the target. */
function LostPeriods({ periods }: { periods: Backup['lostPeriods'] }) {
  return (
    <>
      <p>No moment in these periods can be restored. Everything before and after them can:</p>
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

/** The range of `--at`. Its start is rounded up, because the first copy ends within a second of its minute. */
function describeRange(since: string, until: string): string {
  const sinceMs = Math.ceil(Date.parse(since) / 60_000) * 60_000
  if (sinceMs > Date.parse(until)) return ''
  return `Any second from ${formatStamp(new Date(sinceMs).toISOString())}, to ${formatStamp(until)}, can be restored. `
}

function shopMoment(iso: string): string {
  const { date, time } = shopClock(new Date(iso))
  return `${date} ${time}`
}
