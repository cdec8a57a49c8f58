import { OwnerOnly } from '#web/dashboard/kit/staff/staff-role.tsx'
import { useState } from 'react'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import type { CustomerRecord } from '#contracts/customers.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { unmerge } from '#web/dashboard/kit/customers/customers-api.ts'
import type { DuplicateCandidate } from '#web/dashboard/kit/customers/records.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'

/**
 * Lists customer records that may belong to the same customer. Staff compare the records; the dashboard never merges
 * records by itself (docs/product.md 16.23).
 */
export function DuplicateCandidates({ customer }: { customer: CustomerRecord }) {
  const [compared, setCompared] = useState<DuplicateCandidate>()
  return (
    <>
      {customer.maybeSame.map((other) => (
        <p key={other.id} className="customer-duplicate">
          <Icon name="merge" />
          <span>
            Possible duplicate: <b>{other.name}</b>
            {other.phone && `, ${other.phone}`}.{' '}
            {other.why === 'email' ? 'Same email.' : 'Same phone.'}
          </span>
          <OwnerOnly>
            <Button compact onClick={() => setCompared(other)}>
              Compare
            </Button>
          </OwnerOnly>
        </p>
      ))}
      {compared && (
        <MergeDialog
          customer={customer}
          otherId={compared.id}
          onClose={() => setCompared(undefined)}
        />
      )}
    </>
  )
}

/** Lists the merges of this customer record that staff can still undo. */
export function ActiveMerges({ customer }: { customer: CustomerRecord }) {
  const undoing = useCustomerChange(unmerge)
  const isOffline = useOfflineSince() !== undefined
  return (
    <>
      {customer.merges.map(({ id, name, mergedAt, mergedBy, undoUntil }) => (
        <p key={id} className="customer-duplicate customer-merged">
          <Icon name="merge" />
          <span>
            <StaffName username={mergedBy} at={mergedAt} /> merged <b>{name}</b> into this customer
            on {formatInstantDate(mergedAt)}. You can undo the merge until{' '}
            {formatInstantDate(undoUntil)}.
          </span>
          <OwnerOnly>
            <Button
              compact
              busy={undoing.isBusy && 'Undoing…'}
              disabled={isOffline}
              onClick={() => void undoing.run(id)}
            >
              Undo merge
            </Button>
          </OwnerOnly>
        </p>
      ))}
      {undoing.failure && <p role="alert">{undoing.failure}</p>}
    </>
  )
}
