import type { PhoneBookingCustomer } from '#contracts/bookings/phone-bookings.ts'
import { isSamePhone } from '#domain/bookings/phone-booking-form.ts'
import { formatShortDate } from '#domain/calendar/calendar-date.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { HighlightsNote } from '#web/dashboard/kit/highlights/highlights-note.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { formatSearchVehicle, formatNoShows } from './booking-customer-search.tsx'
import { otherVehicle, type PhoneBookingValues } from './phone-booking-draft.ts'

/**
 * Shows an existing customer: contact details, the last and next appointment, and highlights such as an open estimate.
 * Staff choose one of the customer's vehicles here.
 */
export function ExistingCustomer(props: {
  customer: PhoneBookingCustomer
  vehicleIndex: number
  form: Form<PhoneBookingValues>
  onSelectVehicle: (index: number) => void
  onChange: () => void
  onUseEmail: (email: string) => void
}) {
  const { customer, vehicleIndex, form, onSelectVehicle, onChange, onUseEmail } = props
  const indexes = [...customer.vehicles.keys(), otherVehicle]
  return (
    <>
      <div className="chosen-booking-customer">
        <div>
          <h3>{customer.customer_name}</h3>
          <p>
            <a className="touch-link" href={tel(customer.customer_phone)}>
              {customer.customer_phone}
            </a>
          </p>
          <p>
            {customer.last_appointment
              ? `Last visit ${formatShortDate(customer.last_appointment)}.`
              : 'New customer.'}{' '}
            {customer.next_appointment &&
              `Next appointment ${formatShortDate(customer.next_appointment)}. `}
            {customer.no_shows > 0 && <Badge tone="warn">{formatNoShows(customer.no_shows)}</Badge>}
          </p>
        </div>
        <Button compact level="quiet" onClick={onChange}>
          Change
        </Button>
      </div>
      <HighlightsNote
        about={{ name: customer.customer_name, phone: customer.customer_phone }}
        onUseEmail={onUseEmail}
      />
      <fieldset className="booking-customer-vehicles">
        <legend>Vehicle</legend>
        {indexes.map((index) => (
          <label key={index}>
            <input
              type="radio"
              name="car-choice"
              checked={index === vehicleIndex}
              onChange={() => onSelectVehicle(index)}
            />
            <VehicleText vehicle={customer.vehicles[index]} />
          </label>
        ))}
      </fieldset>
      {vehicleIndex === otherVehicle && <VehicleField form={form} />}
    </>
  )
}

function VehicleText({
  vehicle,
}: {
  vehicle: PhoneBookingCustomer['vehicles'][number] | undefined
}) {
  if (!vehicle) return <b>Different vehicle</b>
  return (
    <span>
      <b>{formatSearchVehicle(vehicle)}</b> {vehicle.color && <small>{vehicle.color}</small>}
    </span>
  )
}

/** Fields for a new customer. Name and phone number are enough. */
export function NewCustomer(props: {
  form: Form<PhoneBookingValues>
  phone: string
  /**
   * Lists existing customers with the typed phone number. Staff can choose an existing customer, so that no duplicate
   * record is created.
   */
  matches: readonly PhoneBookingCustomer[]
  onChoose: (customer: PhoneBookingCustomer) => void
}) {
  const { form, phone, matches, onChoose } = props
  const sameNumber = matches.filter(({ customer_phone }) => isSamePhone(customer_phone, phone))
  return (
    <>
      <div className="booking-customer-columns">
        <Input {...form.field('name')} label="Name" required autoComplete="off" />
        <Input {...form.field('phone')} label="Phone" required type="tel" autoComplete="off" />
      </div>
      {sameNumber.map((customer) => (
        <p className="note same-number" role="status" key={customer.customer_name}>
          {customer.customer_name} has this number.
          <Button compact onClick={() => onChoose(customer)}>
            Use {customer.customer_name}
          </Button>
        </p>
      ))}
    </>
  )
}

export function VehicleField({ form }: { form: Form<PhoneBookingValues> }) {
  return (
    <Input
      {...form.field('vehicle')}
      label={<OptionalFields>Vehicle</OptionalFields>}
      placeholder="2016 Honda Civic"
      autoComplete="off"
    />
  )
}

/** The label of a field that may stay empty, marked '(optional)'. */
export function OptionalFields({ children }: { children: string }) {
  return (
    <>
      {children} <span className="optional">(optional)</span>
    </>
  )
}
