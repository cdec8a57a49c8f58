import type { Backup, Drill } from '#contracts/backup.ts'
import { formatShortStamp, formatShopTime } from '#domain/calendar/shop-time.ts'
import { describeDrill, formatSeconds } from '#web/dashboard/kit/backup/backup-text.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { useBackupChange } from './use-backup-change.ts'

const steps = {
  marking: [1, 'reading the shop and sending the newest changes'],
  copying: [2, 'copying the newest backup'],
  recovering: [3, 'recovering the database'],
  comparing: [4, 'comparing tables, rows, ledger sums and files'],
} as const

/** Lists the last drills, explains what a drill does, and has the button that starts or stops one. */
export function DrillsCard({ backup: { drills, runningDrill } }: { backup: Backup }) {
  const change = useBackupChange()
  return (
    <SettingsCard title="Drills">
      <p>
        A drill restores the newest backup beside the shop, with low priority, compares tables,
        counts, ledger sums, histories and files with the shop, and deletes the copy. Only a
        restored and checked backup is called proven.
      </p>
      {runningDrill ? (
        <RunningDrill {...runningDrill} />
      ) : (
        <Button
          compact
          level="strong"
          className="backup-start"
          busy={change.isPending && 'Starting…'}
          onClick={() => change.mutate({ kind: 'drill' })}
        >
          Run a drill now
        </Button>
      )}
      {drills.length > 0 && (
        <ul className="backup-drills" aria-label="Drills">
          {drills.map((drill) => (
            <DrillLine key={drill.endedAt} drill={drill} />
          ))}
        </ul>
      )}
    </SettingsCard>
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

function DrillLine({ drill }: { drill: Drill }) {
  const isProven = drill.outcome === 'proven'
  return (
    <li>
      <span>{formatShortStamp(drill.endedAt)}</span>
      <Badge tone={isProven ? 'ok' : 'danger'}>{isProven ? 'Proven' : 'Not proven'}</Badge>
      <span>{drill.restoredSeconds !== null && formatSeconds(drill.restoredSeconds)}</span>
      <span>{describeDrill(drill)}</span>
    </li>
  )
}
