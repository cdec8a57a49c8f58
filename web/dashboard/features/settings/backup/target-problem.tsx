import type { Backup } from '#contracts/backup.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { formatMegabytes } from '#web/dashboard/kit/backup/backup-text.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useBackupChange } from './use-backup-change.ts'

type Props = { backup: Backup; problem: NonNullable<Backup['problem']> }

/**
 * Explains why the storage target accepts no data, how many megabytes of changes are unsent, and what the owner can do.
 */
export function TargetProblem({ backup, problem: { kind, message, since } }: Props) {
  const change = useBackupChange()
  const { waitingMegabytes: waiting, waitingLimitMegabytes: limit } = backup
  return (
    <>
      <p>
        {message} Since {formatStamp(since)}.{' '}
        {kind !== 'full' && 'Unsent changes are sent when the target responds.'}
      </p>
      {limit > 0 && (
        <div className="backup-waiting">
          <meter
            aria-label="Megabytes of changes that wait on this machine"
            max={limit}
            high={limit * 0.75}
            value={Math.min(waiting, limit)}
          />
          <p>
            <b>{formatMegabytes(waiting)} wait here</b>
            <span className="muted">stops at {formatMegabytes(limit)}</span>
          </p>
        </div>
      )}
      {kind === 'full' && <WhatToDo keepDays={backup.keepDays} />}
      <Button
        compact
        busy={change.isPending && 'Trying…'}
        onClick={() => change.mutate({ kind: 'send' })}
      >
        Try again
      </Button>
    </>
  )
}

/**
 * Explains what the owner can do when the storage target is full. The dashboard cannot change the target itself,
 * because environment variables of the server process define the target.
 */
function WhatToDo({ keepDays }: { keepDays: number }) {
  return (
    <>
      <h4 className="backup-todo">What to do</h4>
      <ol className="backup-steps">
        <li>Free some space at the backup target, or raise its quota.</li>
        {keepDays > 1 && (
          <li>
            Or keep copies for fewer days: BACKUP_KEEP_DAYS is {keepDays} now. Set it where the site
            runs, and start the site again; it deletes older copies then.
          </li>
        )}
        <li>Then try again. The unsent changes are sent first.</li>
      </ol>
    </>
  )
}
