import { shopClock } from '#domain/calendar/shop-time.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { SettingsCard } from '../kit/settings-card.tsx'

type Props = {
  target: string
  /** ISO 8601: the last moment that can be restored. */
  protectedUntil: string
}

/** The command that restores the backup on another machine. */
export function RestoreCard({ target, protectedUntil }: Props) {
  const { date, time } = shopClock(new Date(protectedUntil))
  const command = `npm run restore -- --from ${target} --at '${date} ${time}'`
  return (
    <SettingsCard title="Restore">
      <p>
        Into an empty folder, from the command line, also on another machine. The shop keeps
        running.
      </p>
      <div className="backup-command">
        <code>{command}</code>
        <Button compact onClick={() => void copy(command)}>
          Copy
        </Button>
      </div>
      <p className="hint">
        Without --at everything that the target has. It refuses a folder that is not empty, and says
        the time that it reached.
      </p>
    </SettingsCard>
  )
}

async function copy(command: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(command)
    toast({ title: 'Copied', description: 'The command that restores the backup.' })
  } catch {
    toast({ title: 'Could not copy', description: 'Please select the command and copy it.' })
  }
}
