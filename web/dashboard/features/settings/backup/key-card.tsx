import type { Backup } from '#contracts/backup.ts'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useBackupChange } from './use-backup-change.ts'

/** The key file of the backup, and whether the owner keeps a copy of it on another machine. */
export function KeyCard({ fingerprint, confirmedAt, confirmedBy }: NonNullable<Backup['key']>) {
  const change = useBackupChange()
  return (
    <section className="card settings-card" aria-labelledby="backup-key">
      <h3 id="backup-key">
        Key{' '}
        <Badge tone={confirmedAt ? 'ok' : 'warn'}>
          {confirmedAt ? 'kept elsewhere' : 'only on this machine'}
        </Badge>
      </h3>
      <p>
        The backup is encrypted before it leaves this machine. Without the key file nobody can
        restore it, not even you.
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
      {confirmedAt ? (
        <p>
          {confirmedBy} confirmed on {formatInstantDate(confirmedAt)} that a copy is kept elsewhere.
        </p>
      ) : (
        <Button
          compact
          busy={change.isPending && 'Saving…'}
          onClick={() => change.mutate({ kind: 'confirmKey', fingerprint })}
        >
          I keep a copy off this machine
        </Button>
      )}
    </section>
  )
}
