import { shopClock } from '#domain/calendar/shop-time.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { SettingsCard } from '../kit/settings-card.tsx'

type Props = {
  target: string
  /** ISO 8601: the last moment that can be restored; undefined when only the newest backup can be. */
  at: string | undefined
}

/** The command that restores the backup on another machine. */
export function RestoreCard({ target, at }: Props) {
  const command = `npm run restore -- --from ${target}${at === undefined ? '' : ` --at '${shopMoment(at)}'`}`
  return (
    <SettingsCard title="Restore">
      <p>
        Run this command on this or another machine. It restores the shop into an empty folder. The
        running shop is not changed.
      </p>
      <div className="backup-command">
        <code>{command}</code>
        <Button compact onClick={() => void copy(command)}>
          Copy
        </Button>
      </div>
      <p className="hint">
        Without --at, the command restores the newest state. It prints the time up to which it
        restored the shop.
      </p>
    </SettingsCard>
  )
}

function shopMoment(iso: string): string {
  const { date, time } = shopClock(new Date(iso))
  return `${date} ${time}`
}

async function copy(command: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(command)
    toast({ title: 'Copied', description: 'The command that restores the backup.' })
  } catch {
    toast({ title: 'Could not copy', description: 'Please select the command and copy it.' })
  }
}
