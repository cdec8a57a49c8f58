import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { VehicleRecord } from '#contracts/customers.ts'
import { customerLink } from '#web/dashboard/kit/navigation/links.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { ChangeOwnerDialog } from './change-owner-dialog.tsx'
import { splitVehicle } from '#web/dashboard/kit/customers/customers-api.ts'
import { formatVehicle } from '#web/dashboard/kit/customers/customer-text.ts'
import { undoSplit } from '#web/dashboard/kit/customers/undo-split.ts'
import { reportFailedUndo } from '#web/dashboard/kit/customers/report-failed-undo.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'
import { Button } from '#web/ui/button/button.tsx'

/** The owner of a vehicle, with buttons that make another existing customer or a new customer the owner. */
export function VehicleOwner({ vehicle }: { vehicle: VehicleRecord }) {
  const { customer } = vehicle
  const [isConfirming, setIsConfirming] = useState(false)
  const [isChanging, setIsChanging] = useState(false)
  const navigate = useNavigate()
  const undoing = useCustomerChange(async (madeId: string) => {
    await undoSplit(customer.id, madeId)
    await navigate(customerLink(customer.id))
  })
  const splitting = useCustomerChange(async () => {
    const madeId = await splitVehicle(vehicle)
    setIsConfirming(false)
    void navigate(customerLink(madeId))
    toast({
      title: 'Moved.',
      description: `The ${formatVehicle(vehicle)} belongs to a new customer now.`,
      action: { label: 'Undo', run: () => void reportFailedUndo(undoing.run(madeId)) },
    })
  })
  const isOffline = useOfflineSince() !== undefined
  return (
    <section className="card customer-card">
      <h3>Owner</h3>
      <p className="customer-driver">
        <Link {...customerLink(customer.id)}>{customer.name}</Link>
        {customer.phone && <a href={tel(customer.phone)}>{customer.phone}</a>}
      </p>
      <Button compact disabled={isOffline} onClick={() => setIsChanging(true)}>
        <Icon name="swap" />
        Change owner
      </Button>
      {isChanging && <ChangeOwnerDialog vehicle={vehicle} onClose={() => setIsChanging(false)} />}
      {vehicle.bookings.length > 0 && (
        <Button compact level="quiet" disabled={isOffline} onClick={() => setIsConfirming(true)}>
          Belongs to someone else…
        </Button>
      )}
      {splitting.failure && (
        <Notice tone="bad" title="Could not move the vehicle.">
          {splitting.failure}
        </Notice>
      )}
      <ConfirmDialog
        open={isConfirming}
        title="Move to a new customer?"
        confirmLabel="Move to a new customer"
        busyLabel="Moving…"
        busy={splitting.isBusy}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => void splitting.run(undefined).then(() => setIsConfirming(false))}
      >
        <p>
          The {formatVehicle(vehicle)} and all its records move from {customer.name} to a new
          customer, with the name on the latest appointment. To go back, select Undo or merge the
          two customers.
        </p>
      </ConfirmDialog>
    </section>
  )
}
