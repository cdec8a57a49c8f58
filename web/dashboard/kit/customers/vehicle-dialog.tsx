import { useRef } from 'react'
import type { VehicleSummary } from '#contracts/customers.ts'
import { bookingFieldLimits } from '#domain/bookings/booking-form.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { cleanVin, isVin } from '#domain/customers/vin.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { readVehicle, type VehicleForm, saveVehicle } from './customers-api.ts'
import { formatVehicle } from './customer-text.ts'
import { SaveFailureNotice } from './save-failure.tsx'
import { useCustomerForm } from './use-customer-form.ts'

/** Maximum lengths in characters, the same as in the database. */
const limits = {
  year: bookingFieldLimits.vehicleYear,
  make: bookingFieldLimits.vehicleMake,
  model: bookingFieldLimits.vehicleModel,
  color: bookingFieldLimits.vehicleColor,
  plate: 15,
  // A VIN has 17 characters, between which staff may type spaces and hyphens.
  vin: 25,
  note: 1000,
}

const labels = {
  year: 'Year',
  make: 'Make',
  model: 'Model',
  color: 'Color',
  plate: 'Plate',
  vin: 'VIN',
  note: 'Notes',
} as const

type Props = {
  /** The vehicle to edit; undefined for a new vehicle. */
  vehicle?: VehicleSummary
  customerId: string
  onClose: () => void
}

/**
 * Adds or edits a vehicle. The form validates the VIN's check digit, because staff can still compare the VIN with the
 * vehicle.
 */
export function VehicleDialog({ vehicle, customerId, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const { form, isSaving, save, error, conflict } = useCustomerForm<VehicleForm>({
    saved: savedOf(vehicle),
    write: (values, version) =>
      saveVehicle(vehicle && { id: vehicle.id, version }, customerId, values),
    read: async () => savedOf(vehicle && (await readVehicle(vehicle.id))),
    element,
    limits,
    check: checkVehicle,
    label: (field) => labels[field],
    onClose,
  })
  const isOffline = useOfflineSince() !== undefined

  return (
    <FormDialog
      title={vehicle ? `Edit ${formatVehicle(vehicle)}` : 'Add vehicle'}
      label="Save"
      busyLabel="Saving…"
      isBusy={isSaving}
      disabled={isOffline}
      element={element}
      className="customer-form"
      onSubmit={save}
      onClose={onClose}
    >
      <div className="customer-form-fields">
        <Input {...form.field('year')} label={labels.year} inputMode="numeric" autoComplete="off" />
        <Input {...form.field('make')} label={labels.make} autoComplete="off" />
        <Input {...form.field('model')} label={labels.model} autoComplete="off" />
        <Input {...form.field('color')} label={labels.color} autoComplete="off" />
      </div>
      <Input {...form.field('plate')} label={labels.plate} autoComplete="off" spellCheck={false} />
      <Input
        {...form.field('vin')}
        label={labels.vin}
        autoComplete="off"
        spellCheck={false}
        hint="17 characters. The ninth checks the others."
      />
      <TextArea {...form.field('note')} label={labels.note} rows={3} />
      <SaveFailureNotice
        error={error}
        conflict={conflict}
        now={
          vehicle
            ? [formatVehicle(vehicle), vehicle.color, vehicle.plate, vehicle.vin]
                .filter(Boolean)
                .join(', ')
            : ''
        }
      />
    </FormDialog>
  )
}

const savedOf = (vehicle: VehicleSummary | undefined): Saved<VehicleForm> => ({
  version: vehicle?.version ?? 0,
  form: {
    year: vehicle?.year ?? '',
    make: vehicle?.make ?? '',
    model: vehicle?.model ?? '',
    color: vehicle?.color ?? '',
    plate: vehicle?.plate ?? '',
    vin: vehicle?.vin ?? '',
    note: vehicle?.note ?? '',
  },
})

function checkVehicle({ make, model, plate, vin }: VehicleForm) {
  const isUnknown = [make, model, plate, vin].every((text) => cleanLine(text) === '')
  return {
    ...(isUnknown && { make: 'Enter a make, a model, a plate or a VIN.' }),
    ...(cleanLine(vin) !== '' && !isVin(cleanVin(vin)) && { vin: vinText(cleanVin(vin)) }),
  }
}

function vinText(vin: string): string {
  if (/[IOQ]/.test(vin)) return 'A VIN has no I, O or Q. Enter 1 or 0 instead.'
  if (vin.length !== 17) return `A VIN has 17 characters. This text has ${vin.length}.`
  return 'This VIN is not valid. At least one character is wrong.'
}
