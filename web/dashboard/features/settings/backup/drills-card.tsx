import { capitalized } from '#domain/text/capitalized.ts'
import { useId } from 'react'
import type { Backup, Drill } from '#contracts/backup.ts'
import { shortDayName } from '#domain/calendar/calendar-date.ts'
import { formatShortStamp, formatShopTime, shopClock } from '#domain/calendar/shop-time.ts'
import { describeDrill, formatSeconds } from '#web/dashboard/kit/backup/backup-text.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useBackupChange } from './use-backup-change.ts'

const steps = {
  marking: [1, 'reading the shop and sending the newest changes'],
  copying: [2, 'copying the newest backup'],
  recovering: [3, 'recovering the database'],
  comparing: [4, 'comparing tables, rows, ledger sums and files'],
} as const

/** Lists the last restore drills (tests that restore the backup), with a button that starts or stops a drill. */
export function DrillsCard({ backup: { drills, runningDrill } }: { backup: Backup }) {
  const id = useId()
  return (
    <section className="card backup-drills" aria-labelledby={id}>
      <header>
        <h3 id={id}>Drills</h3>
        {!runningDrill && <StartButton />}
      </header>
      {runningDrill && <RunningDrill {...runningDrill} />}
      {drills.length > 0 ? (
        <table aria-labelledby={id}>
          <thead>
            <tr>
              <th>Ended</th>
              <th>Result</th>
              <th className="backup-took">Restored in</th>
              <th>Checked</th>
            </tr>
          </thead>
          <tbody>
            {drills.map((drill) => (
              <DrillRow key={drill.endedAt} drill={drill} />
            ))}
          </tbody>
        </table>
      ) : (
        !runningDrill && <p className="muted">No restore drill has run yet.</p>
      )}
    </section>
  )
}

function StartButton() {
  const change = useBackupChange()
  return (
    <Button
      compact
      level="strong"
      busy={change.isPending && 'Starting…'}
      onClick={() => change.mutate({ kind: 'drill' })}
    >
      Run a drill now
    </Button>
  )
}

function RunningDrill({ step, since }: NonNullable<Backup['runningDrill']>) {
  const change = useBackupChange()
  const [number, what] = steps[step]
  return (
    <div className="backup-running">
      <p role="status">
        <b>Drill since {formatShopTime(new Date(since))}.</b> Step {number} of 4: {what}. The shop
        works as always.
      </p>
      <progress aria-label="Steps of the drill" max={4} value={number} />
      <Button
        compact
        busy={change.isPending && 'Stopping…'}
        onClick={() => change.mutate({ kind: 'stopDrill' })}
      >
        Stop the drill
      </Button>
    </div>
  )
}

function DrillRow({ drill }: { drill: Drill }) {
  const isProven = drill.outcome === 'proven'
  return (
    <tr>
      <th scope="row">{formatNight(drill.endedAt)}</th>
      <td>
        <Badge tone={isProven ? 'ok' : 'danger'}>{isProven ? 'Proven' : 'Not proven'}</Badge>
      </td>
      <td className="backup-took">
        {drill.restoredSeconds === null ? '–' : formatSeconds(drill.restoredSeconds)}
      </td>
      <td>{capitalized(describeDrill(drill))}</td>
    </tr>
  )
}

/** An instant as date and time: 'Tue, Nov 24, 3:10 AM'. */
const formatNight = (iso: string) =>
  `${shortDayName(shopClock(new Date(iso)).date)}, ${formatShortStamp(iso)}`
