import { useId, useState } from 'react'
import type { Backup } from '#contracts/backup.ts'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { CheckCopy } from './check-copy.tsx'
import { SaveKeyButton } from './save-key-button.tsx'
import { useBackupChange } from './use-backup-change.ts'

type Key = NonNullable<Backup['key']>

/**
 * The card with the key file of the backup. In this card the owner confirms that a copy of the key exists outside of
 * this computer.
 */
export function KeyCard(key: Key) {
  const { fingerprint, confirmedAt, confirmedBy } = key
  const id = useId()
  const [isChecking, setIsChecking] = useState(false)
  return (
    <section className="card settings-card" aria-labelledby={id}>
      <h3 id={id}>
        Key{' '}
        <Badge tone={confirmedAt ? 'ok' : 'warn'}>
          {confirmedAt ? 'Kept elsewhere' : 'Only on this machine'}
        </Badge>
      </h3>
      <p>
        Each backup is encrypted before it is sent. Without the key file nobody can restore the
        backup, not even you.
      </p>
      <dl className="process-settings">
        <div>
          <dt>File</dt>
          <dd>
            <code>keys/backup.key</code> in DATA_DIR
          </dd>
        </div>
        <div>
          <dt>Fingerprint</dt>
          <dd>{fingerprint}</dd>
        </div>
      </dl>
      {confirmedAt && (
        <p className="muted">
          {confirmedBy && <StaffName username={confirmedBy} at={confirmedAt} />} confirmed on{' '}
          {formatInstantDate(confirmedAt)} that a copy is kept off this machine.
        </p>
      )}
      <p className="backup-buttons">
        <SaveKeyButton isFirst={confirmedAt === null} />
        {confirmedAt === null && <ConfirmButton fingerprint={fingerprint} />}
        <Button compact level="quiet" onClick={() => setIsChecking(true)}>
          Check a copy…
        </Button>
      </p>
      {isChecking && <CheckCopy fingerprint={fingerprint} onClose={() => setIsChecking(false)} />}
    </section>
  )
}

function ConfirmButton({ fingerprint }: Pick<Key, 'fingerprint'>) {
  const change = useBackupChange()
  return (
    <Button
      compact
      busy={change.isPending && 'Saving…'}
      onClick={() => change.mutate({ kind: 'confirmKey', fingerprint })}
    >
      I keep a copy off this machine
    </Button>
  )
}
