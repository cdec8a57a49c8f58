import { Input } from '#web/ui/field/field.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { emailProblem, odometerProblem, type EstimateForm } from '../form/estimate-form.ts'
import type { EstimateFormActions } from '../form/estimate-form-actions.ts'

const customerFields = [
  ['name', 'Customer', 'text', 100],
  ['phone', 'Phone', 'tel', 40],
  ['email', 'Email', 'email', 254],
] as const

const vehicleFields = [
  ['year', 'Year', 40],
  ['make', 'Make', 100],
  ['model', 'Model', 100],
  ['plate', 'Plate', 12],
  ['vin', 'VIN', 17],
  ['odometerMiles', 'Odometer', 9],
] as const

/** The fields of the customer and the vehicle. */
export function CustomerFields(props: {
  form: EstimateForm
  actions: EstimateFormActions
  /**
   * Whether the shop has emailed the estimate to this email address. If so, staff can change the address only in the
   * dialog 'Change email'.
   */
  isSent: boolean
  onDone: () => void
}) {
  const { form, actions, isSent, onDone } = props
  return (
    <section className="card customer-fields" aria-label="Customer and vehicle">
      {customerFields.map(([name, label, type, longest], index) => (
        <Input
          key={name}
          label={label}
          type={type}
          maxLength={longest}
          autoComplete="off"
          error={name === 'email' ? emailProblem(form.customer.email) : undefined}
          readOnly={name === 'email' && isSent}
          hint={
            name === 'email' && isSent
              ? 'Use “Change email”. The link that was sent then stops working.'
              : undefined
          }
          data-cell={index === 0 ? 'customer' : undefined}
          value={form.customer[name]}
          onChange={({ target }) =>
            actions.change((before) => ({
              ...before,
              customer: { ...before.customer, [name]: target.value },
            }))
          }
        />
      ))}
      {vehicleFields.map(([name, label, longest]) => (
        <Input
          key={name}
          label={label}
          maxLength={longest}
          autoComplete="off"
          data-cell={`vehicle:${name}`}
          inputMode={name === 'odometerMiles' || name === 'year' ? 'numeric' : 'text'}
          error={name === 'odometerMiles' ? odometerProblem(form) : undefined}
          value={form.vehicle[name]}
          onChange={({ target }) =>
            actions.change((before) => ({
              ...before,
              vehicle: { ...before.vehicle, [name]: target.value },
            }))
          }
        />
      ))}
      <Button compact onClick={onDone}>
        Done
      </Button>
    </section>
  )
}
