import type { Backup, Drill } from '#contracts/backup.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { describeDrill } from '#web/dashboard/kit/backup/backup-text.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { useBackupChange } from './use-backup-change.ts'

const steps = {
  marking: 'Step 1 of 4: reading the shop and sending the newest changes.',
  copying: 'Step 2 of 4: copying the newest backup.',
  recovering: 'Step 3 of 4: recovering the database.',
  comparing: 'Step 4 of 4: comparing tables, rows and files.',
} as const

/** The newest drills, and the button that starts one. */
export function DrillsCard({ backup: { drills, runningDrill } }: { backup: Backup }) {
  const change = useBackupChange()
  return (
    <SettingsCard title="Drills">
      <p>
        A drill restores the newest backup beside the shop, compares it with the shop, and deletes
        the copy. Only a restored and compared backup is called proven.
      </p>
      <Button
        compact
        level="primary"
        busy={(runningDrill !== null || change.isPending) && 'A drill is running…'}
        onClick={() => change.mutate({ kind: 'drill' })}
      >
        Run a drill now
      </Button>
      <p role="status">{runningDrill && `${steps[runningDrill]} The shop works as always.`}</p>
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

function DrillLine({ drill }: { drill: Drill }) {
  const isProven = drill.outcome === 'proven'
  return (
    <li>
      <span>{formatShortStamp(drill.endedAt)}</span>
      <Badge tone={isProven ? 'ok' : 'danger'}>{isProven ? 'Proven' : 'Not proven'}</Badge>
      <span>{describeDrill(drill)}</span>
    </li>
  )
}
