import type { Ref, SubmitEvent } from 'react'
import type { BookingForm } from '#domain/bookings/booking-form.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { Honeypot } from '#web/ui/field/honeypot.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import type { Problem } from '../draft/booking-draft.ts'
import type { Service } from '../service/load-services.ts'
import './confirm-appointment.css'

type ConfirmAppointmentProps = {
  choice: { service: Service; date: string; time: string }
  element: Ref<HTMLFormElement>
  form: Form<BookingForm>
  problem: Problem | null
  isConfirming: boolean
  honeypot: Ref<HTMLInputElement>
  onSubmit: () => void
}

/** Step 3: 'Confirm Your Appointment' with its three cards (docs/product.md 2.3). */
export function ConfirmAppointment({
  choice,
  element,
  form,
  problem,
  isConfirming,
  honeypot,
  onSubmit,
}: ConfirmAppointmentProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <>
      <h2 className="card-heading">Confirm Your Appointment</h2>
      <form className="confirm-columns" ref={element} noValidate onSubmit={submit}>
        <AppointmentDetails {...choice} />
        <div className="confirm-form">
          <YourInformation form={form} />
          <VehicleInformation form={form} />
          <Honeypot ref={honeypot} />
          {problem && (
            <div className="wizard-problem">
              <Notice tone="bad" title={problem.title}>
                {problem.text}
              </Notice>
            </div>
          )}
          <Button type="submit" level="primary" wide large busy={isConfirming && 'Confirming...'}>
            Confirm Appointment
          </Button>
          <p className="hint">
            Fields marked{' '}
            <span className="required-mark" aria-hidden="true">
              *
            </span>
            <span className="visually-hidden">with an asterisk</span> are required. We'll send a
            confirmation email once you're booked.
          </p>
        </div>
      </form>
    </>
  )
}

function AppointmentDetails({ service, date, time }: ConfirmAppointmentProps['choice']) {
  return (
    <aside className="card panel" aria-labelledby="details-title">
      <h3 id="details-title">Appointment Details</h3>
      <dl className="summary">
        <div>
          <dt>Service</dt>
          <dd>
            {service.name}
            <p>{service.description}</p>
          </dd>
        </div>
        <div>
          <dt>Date</dt>
          <dd>{formatLongDate(date)}</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>{formatTime(time)}</dd>
        </div>
      </dl>
    </aside>
  )
}

function YourInformation({ form: { field } }: { form: Form<BookingForm> }) {
  return (
    <section className="card panel" aria-labelledby="you-title">
      <h3 id="you-title">Your Information</h3>
      <div className="two-columns">
        <Input
          {...field('name')}
          className="full-row"
          label="Full Name"
          required
          autoComplete="name"
        />
        <Input
          {...field('email')}
          type="email"
          label="Email Address"
          required
          autoComplete="email"
        />
        <Input {...field('phone')} type="tel" label="Phone Number" required autoComplete="tel" />
        <TextArea
          {...field('notes')}
          className="full-row"
          label="Additional Notes (Optional)"
          rows={3}
          placeholder="Anything we should know, for example when you notice it"
        />
      </div>
    </section>
  )
}

function VehicleInformation({ form: { field } }: { form: Form<BookingForm> }) {
  const own = { required: true, autoComplete: 'off' }
  return (
    <section className="card panel" aria-labelledby="vehicle-title">
      <h3 id="vehicle-title">Vehicle Information</h3>
      <div className="two-columns">
        <Input
          {...field('vehicleYear')}
          {...own}
          label="Year"
          inputMode="numeric"
          placeholder="2019"
        />
        <Input {...field('vehicleMake')} {...own} label="Make" placeholder="Subaru" />
        <Input {...field('vehicleModel')} {...own} label="Model" placeholder="Outback" />
        <Input {...field('vehicleColor')} label="Color" autoComplete="off" placeholder="Green" />
      </div>
    </section>
  )
}
