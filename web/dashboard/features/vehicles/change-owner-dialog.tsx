import { useState } from 'react'
import type { VehicleRecord } from '#contracts/customers.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { changeVehicleOwner, readVehicle } from '#web/dashboard/kit/customers/customers-api.ts'
import { formatVehicle } from '#web/dashboard/kit/customers/customer-text.ts'
import {
  type FoundCustomer,
  CustomerSearch,
} from '#web/dashboard/kit/customers/customer-search.tsx'
import { reportFailedUndo } from '#web/dashboard/kit/customers/report-failed-undo.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'

/** The dialog that makes another existing customer the owner of a vehicle. */
export function ChangeOwnerDialog({
  vehicle,
  onClose,
}: {
  vehicle: VehicleRecord
  onClose: () => void
}) {
  const { customer } = vehicle
  const [owner, setOwner] = useState<FoundCustomer>()
  const isOffline = useOfflineSince() !== undefined
  const undoing = useCustomerChange(async () =>
    changeVehicleOwner(await readVehicle(vehicle.id), customer.id),
  )
  const saving = useCustomerChange(async ({ id, name }: FoundCustomer) => {
    await changeVehicleOwner(vehicle, id)
    // Closes the dialog before the toast appears, because staff cannot press a button of the toast behind an open
    // dialog.
    onClose()
    toast({
      title: 'Owner changed.',
      description: `${name} is now the owner of the ${formatVehicle(vehicle)}.`,
      action: { label: 'Undo', run: () => void reportFailedUndo(undoing.run(undefined)) },
    })
  })
  return (
    <Dialog
      open
      size="small"
      title="Who is the new owner?"
      busy={saving.isBusy}
      onClose={onClose}
      footer={
        <FormActions
          label="Change owner"
          busyLabel="Saving…"
          tone="strong"
          isBusy={saving.isBusy}
          disabled={!owner || isOffline}
          onCancel={onClose}
          onSubmit={() => owner && void saving.run(owner)}
        />
      }
    >
      <CustomerSearch label="New owner" exceptId={customer.id} onChoose={setOwner} />
      {owner && (
        <p className="note" role="status">
          The {formatVehicle(vehicle)} goes from {customer.name} to <b>{owner.name}</b>
          {owner.phone && `, ${owner.phone}`}. The appointments, estimates and invoices so far stay
          with {customer.name} and in the history of the vehicle. To go back, change the owner
          again.
        </p>
      )}
      {saving.failure && (
        <Notice tone="bad" title="Could not change the owner.">
          {saving.failure}
        </Notice>
      )}
    </Dialog>
  )
}
