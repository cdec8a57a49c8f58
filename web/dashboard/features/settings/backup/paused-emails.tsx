import type { Backup } from '#contracts/backup.ts'
import { formatShortStamp, formatStamp } from '#domain/calendar/shop-time.ts'
import { Button } from '#web/ui/button/button.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { useBackupChange } from './use-backup-change.ts'

/**
 * The notice after a restore of the shop from a backup. The shop sends no email until an owner has checked the unsent
 * emails and presses the button that sends them.
 */
export function PausedEmails({
  waiting,
  recoveredUntil,
  emails,
}: NonNullable<Backup['pausedEmails']>) {
  const change = useBackupChange()
  return (
    <SettingsCard title="Emails and reminders are paused">
      <p>
        This shop was restored from a backup, with everything up to {formatStamp(recoveredUntil)}.{' '}
        {waiting === 1 ? '1 email waits.' : `${waiting} emails wait.`} Make sure that the former
        machine no longer runs the shop, and check the appointments first.
      </p>
      {emails.length > 0 && (
        <ul className="backup-emails" aria-label="Waiting emails">
          {emails.map(({ id, subject, recipient, queuedAt }) => (
            <li key={id}>
              <b>{subject}</b>
              <span>
                To {recipient}, {formatShortStamp(queuedAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {waiting > emails.length && <p>These are the oldest {emails.length}.</p>}
      <Button
        compact
        level="primary"
        busy={change.isPending && 'Sending…'}
        onClick={() => change.mutate({ kind: 'resumeEmails' })}
      >
        Send emails
      </Button>
    </SettingsCard>
  )
}
