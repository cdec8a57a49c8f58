import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Tablet, tabletEndpoints } from '#contracts/tablets.ts'
import { formatInstantDate, formatShortStamp } from '#domain/calendar/shop-time.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { EnrollDialog } from './enroll-dialog.tsx'
import { tabletsKey, useTablets } from './use-tablets.ts'

/** The card that lists the shared tablets (docs/product.md 6.14). */
export function TabletsCard() {
  const known = useTablets()
  const [isEnrolling, setEnrolling] = useState(false)
  const [revoked, setRevoked] = useState<Tablet>()
  const tablets = known.data?.tablets
  return (
    <section className="card settings-card accounts-card" aria-labelledby="team-tablets">
      <header>
        <div>
          <h3 id="team-tablets">Shared tablets</h3>
          <p>A team member chooses their name and types a PIN. Technician rights only.</p>
        </div>
        <Button compact onClick={() => setEnrolling(true)}>
          <Icon name="plus" />
          Enroll a tablet
        </Button>
      </header>
      {!tablets && (
        <LoadFailure
          title="The tablets could not be loaded."
          onRetry={() => void known.refetch()}
        />
      )}
      {tablets?.length === 0 && (
        <p className="empty-box">
          No shared tablets. Sign in on the tablet of the bay and enroll it there.
        </p>
      )}
      <ul aria-label="Shared tablets">
        {tablets?.map((tablet) => (
          <TabletRow key={tablet.id} tablet={tablet} onRevoke={() => setRevoked(tablet)} />
        ))}
      </ul>
      {isEnrolling && <EnrollDialog onClose={() => setEnrolling(false)} />}
      {revoked && <RevokeDialog tablet={revoked} onClose={() => setRevoked(undefined)} />}
    </section>
  )
}

function TabletRow({ tablet, onRevoke }: { tablet: Tablet; onRevoke: () => void }) {
  const { name, enrolledByName, enrolledAt, lastUsedByName, lastUsedAt, isLocked } = tablet
  return (
    <li className="tablet-row">
      <div className="staff-name">
        <b>{name}</b>
        <small>
          Enrolled {formatInstantDate(enrolledAt)} by {enrolledByName}.
          {lastUsedAt !== null &&
            ` Last used ${formatShortStamp(lastUsedAt)} by ${lastUsedByName}.`}
        </small>
      </div>
      <Badge tone={isLocked ? 'danger' : 'ok'}>{isLocked ? 'locked' : 'active'}</Badge>
      <Button compact level="danger" onClick={onRevoke}>
        Revoke…<span className="visually-hidden"> {name}</span>
      </Button>
    </li>
  )
}

function RevokeDialog({ tablet, onClose }: { tablet: Tablet; onClose: () => void }) {
  const queries = useQueryClient()
  const revoke = async () => {
    onClose()
    const result = await callAsAdmin(tabletEndpoints.revoke, { id: tablet.id })
    toast(
      result.ok
        ? { title: 'Revoked', description: `${tablet.name} can no longer be used.` }
        : { title: 'The tablet was not revoked. Try again.', variant: 'destructive' },
    )
    await queries.invalidateQueries({ queryKey: tabletsKey })
  }
  return (
    <ConfirmDialog
      open
      title={`Revoke ${tablet.name}?`}
      cancelLabel="Keep"
      confirmLabel="Revoke"
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      <p>
        The team member who uses the tablet is signed out within five seconds. To use the tablet
        again, an owner has to enroll it.
      </p>
    </ConfirmDialog>
  )
}
