import { useId, useRef, useState } from 'react'
import type { VehicleSummary } from '#contracts/customers.ts'
import { bookingFieldLimits } from '#domain/bookings/booking-form.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { cleanVin, isVin } from '#domain/customers/vin.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { type VehicleForm, saveVehicle } from './customers-api.ts'
import { formatVehicle } from './customer-text.ts'
import { SaveFailureNotice } from './save-failure.tsx'
import { useCustomerChange } from './use-customer-change.ts'

/** Maximum lengths in characters, the same as in the database. */
const limits = {
  year: bookingFieldLimits.vehicleYear,
  make: bookingFieldLimits.vehicleMake,
  model: bookingFieldLimits.vehicleModel,
  color: bookingFieldLimits.vehicleColor,
  plate: 15,
  // A VIN has 17 characters; spaces and hyphens may be typed between them.
  vin: 25,
  note: 1000,
}

type Props = {
  /** Undefined for a new vehicle. */
  vehicle?: VehicleSummary
  customerId: string
  onClose: () => void
}

/**
 * Adds or edits a vehicle. The form checks the VIN's check digit, because staff can still compare it with the vehicle.
 */
export function VehicleDialog({ vehicle, customerId, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const formId = useId()
  const [values, onChange] = useState(() => formOf(vehicle))
  const form = useForm({ element, values, onChange, limits })
  const isOffline = useOfflineSince() !== undefined
  // The version that the user was looking at. Saving over a newer version requires a confirmation.
  const [seen, setSeen] = useState(vehicle)
  const saving = useCustomerChange((over: VehicleSummary | undefined) =>
    saveVehicle(over, customerId, values),
  )

  async function save(over: VehicleSummary | undefined) {
    const refusals = checkVehicle(values)
    if (Object.keys(refusals).length > 0) return form.complain(refusals)
    form.accept()
    setSeen(over)
    if (await saving.run(over)) onClose()
  }

  return (
    <Dialog
      open
      size="small"
      title={vehicle ? `Edit ${formatVehicle(vehicle)}` : 'Add vehicle'}
      busy={saving.isBusy}
      onClose={onClose}
      footer={
        <FormActions
          label="Save"
          busyLabel="Saving…"
          isBusy={saving.isBusy}
          disabled={isOffline}
          onCancel={onClose}
          form={formId}
        />
      }
    >
      <form
        id={formId}
        ref={element}
        className="customer-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save(seen)
        }}
      >
        <div className="customer-form-fields">
          <Input {...form.field('year')} label="Year" inputMode="numeric" autoComplete="off" />
          <Input {...form.field('make')} label="Make" autoComplete="off" />
          <Input {...form.field('model')} label="Model" autoComplete="off" />
          <Input {...form.field('color')} label="Color" autoComplete="off" />
        </div>
        <Input {...form.field('plate')} label="Plate" autoComplete="off" spellCheck={false} />
        <Input
          {...form.field('vin')}
          label="VIN"
          autoComplete="off"
          spellCheck={false}
          hint="17 characters. The ninth checks the others."
        />
        <TextArea {...form.field('note')} label="Notes" rows={3} />
        <SaveFailureNotice
          change={saving}
          now={
            vehicle
              ? [formatVehicle(vehicle), vehicle.color, vehicle.plate, vehicle.vin]
                  .filter(Boolean)
                  .join(', ')
              : ''
          }
          onSaveOver={() => void save(vehicle)}
        />
      </form>
    </Dialog>
  )
}

const formOf = (vehicle: VehicleSummary | undefined): VehicleForm => ({
  year: vehicle?.year ?? '',
  make: vehicle?.make ?? '',
  model: vehicle?.model ?? '',
  color: vehicle?.color ?? '',
  plate: vehicle?.plate ?? '',
  vin: vehicle?.vin ?? '',
  note: vehicle?.note ?? '',
})

function checkVehicle({ make, model, plate, vin }: VehicleForm) {
  const isUnknown = [make, model, plate, vin].every((text) => cleanLine(text) === '')
  return {
    ...(isUnknown && { make: 'Enter a make, a model, a plate or a VIN.' }),
    ...(cleanLine(vin) !== '' && !isVin(cleanVin(vin)) && { vin: vinText(cleanVin(vin)) }),
  }
}

function vinText(vin: string): string {
  if (/[IOQ]/.test(vin)) return 'A VIN has no I, O or Q: they are 1 and 0.'
  if (vin.length !== 17) return `A VIN has 17 characters, this has ${vin.length}.`
  return 'This VIN is not valid. One character does not fit the others.'
}
