import { useId, useRef, useState } from 'react'
import type { ContactChange } from '#contracts/bookings/booking-commands.ts'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { SaveFailureNotice } from '#web/dashboard/kit/customers/save-failure.tsx'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog, SidePanel } from '#web/ui/dialog/dialog.tsx'
import { FieldError, Input, Select } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { NotifyCheckbox } from '../move/notify-checkbox.tsx'
import { openStates } from '../open-states.ts'
import { OptionalFields } from '../phone-booking/customer-fields.tsx'
import { useFormKeys } from '../phone-booking/use-form-keys.ts'
import { SlotProblemNotice } from '../slot/slot-problem-notice.tsx'
import { doesNotFit } from '../slot/slot-problem.ts'
import { editFormOf } from './edit-form.ts'
import { type EditPanelState, useEditPanel } from './use-edit-panel.ts'
import './edit.css'

type Props = {
  booking: DayBooking
  bays: ShopDay['bays']
  onBack: () => void
  /** Called with the date of the saved booking. */
  onSaved: (date: string) => void
}

/** Panel that edits the service, the vehicle and the contact details of a booking (docs/product.md 12.15). */
export function EditPanel({ booking, bays, onBack, onSaved }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const formId = useId()
  const panel = useEditPanel({ booking, bays, element, onSaved })
  useFormKeys(element)
  const [isDiscarding, setIsDiscarding] = useState(false)
  const isOffline = useOfflineSince() !== undefined
  const isOpen = openStates.has(booking.state)
  const close = () => (panel.isChanged ? setIsDiscarding(true) : onBack())
  return (
    <SidePanel
      open
      busy={panel.isBusy}
      onClose={close}
      title={
        <>
          Edit {booking.customer_name} <small>{startText(booking)}</small>
        </>
      }
      footer={
        <FormActions
          label="Save"
          busyLabel="Saving…"
          isBusy={panel.isBusy}
          disabled={isOffline || !isOpen || !panel.isChanged || panel.place.isChecking}
          tone={panel.place.slotProblem ? 'secondary' : 'primary'}
          cancelLabel="Back"
          onCancel={close}
          form={formId}
        />
      }
    >
      <form
        id={formId}
        ref={element}
        className="edit-booking"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          panel.save()
        }}
      >
        {isOffline && (
          <p role="status">No connection. Nothing is saved until the connection is back.</p>
        )}
        {!isOpen && (
          <Notice tone="bad" title="This appointment is no longer open.">
            Only open appointments can be edited.
          </Notice>
        )}
        <ServiceFields panel={panel} booking={booking} />
        <VehicleFields panel={panel} isUnknown={editFormOf(booking).vehicle === ''} />
        <ContactFields panel={panel} booking={booking} />
        <Email panel={panel} booking={booking} />
        <SaveFailureNotice
          error={undefined}
          conflict={panel.conflict}
          now={[booking.customer_name, booking.service_name, startText(booking)].join(', ')}
        />
        {panel.failure && (
          <Notice tone="bad" title="Could not save the appointment.">
            {panel.failure} Your entries are kept.
          </Notice>
        )}
      </form>
      <ConfirmDialog
        open={isDiscarding}
        title="Discard your changes?"
        cancelLabel="Keep editing"
        confirmLabel="Discard"
        onClose={() => setIsDiscarding(false)}
        onConfirm={() => {
          panel.discard()
          onBack()
        }}
      >
        <p>The appointment is not changed.</p>
      </ConfirmDialog>
    </SidePanel>
  )
}

function ServiceFields({ panel, booking }: { panel: EditPanelState; booking: DayBooking }) {
  const { place, values } = panel
  return (
    <>
      {place.isUnread && (
        <LoadFailure title="The services could not be loaded." onRetry={place.retry} />
      )}
      <Select
        {...panel.form.choice('serviceId')}
        label="Service"
        error={place.slotProblem && doesNotFit}
      >
        {place.services.map(({ id, name, duration_minutes }) => (
          <option key={id} value={id}>
            {name}, {duration_minutes} min
          </option>
        ))}
      </Select>
      <div role="status">
        {place.slotProblem && (
          <SlotProblemNotice
            slotProblem={place.slotProblem}
            minutes={place.service.duration_minutes}
            freeTimes={place.freeTimes}
            bays={place.bays}
            anyway={place.slotProblem.isRefused ? undefined : 'Keep this time'}
            promptCount={panel.promptCount}
            onSelect={place.select}
            onBookAnyway={place.accept}
          />
        )}
      </div>
      {place.isMoved && (
        <p className="edit-moved">
          <span>
            New time: <b>{formatDateTime(values.date, values.time)}</b>
          </span>
          <Button compact level="quiet" onClick={place.keep}>
            Keep {formatTime(editFormOf(booking).time)}
          </Button>
        </p>
      )}
    </>
  )
}

function VehicleFields({
  panel: { form },
  isUnknown,
}: {
  panel: EditPanelState
  isUnknown: boolean
}) {
  return (
    <div className="edit-columns">
      <Input
        {...form.field('vehicle')}
        data-first-focus={isUnknown || undefined}
        label={<OptionalFields>Vehicle</OptionalFields>}
        placeholder="2016 Honda Civic"
        hint="Year, make and model, or a license plate."
        autoComplete="off"
      />
      <Input
        {...form.field('color')}
        label={<OptionalFields>Color</OptionalFields>}
        autoComplete="off"
      />
    </div>
  )
}

function ContactFields({ panel, booking }: { panel: EditPanelState; booking: DayBooking }) {
  const { form, values, isOtherContact } = panel
  return (
    <>
      <div className="edit-columns">
        <Input {...form.field('name')} label="Name" required autoComplete="off" />
        <Input {...form.field('phone')} label="Phone" required type="tel" autoComplete="off" />
      </div>
      <Input
        {...form.field('email')}
        label={<OptionalFields>Email</OptionalFields>}
        type="email"
        autoComplete="off"
      />
      {isOtherContact && (
        <ContactChoice
          chosen={values.contactChange}
          error={form.errors.contactChange}
          formerName={booking.customer_name}
          onChoose={panel.decide}
        />
      )}
    </>
  )
}

function ContactChoice(props: {
  chosen: ContactChange | ''
  error: string | undefined
  formerName: string
  onChoose: (change: ContactChange) => void
}) {
  const { chosen, error, formerName, onChoose } = props
  const errorId = useId()
  const choices: readonly (readonly [value: ContactChange, label: string, effect: string])[] = [
    [
      'correction',
      'Correct this customer',
      `${formerName}’s record and other open appointments change, too.`,
    ],
    [
      'other_customer',
      'This is another customer',
      `Only this appointment changes, not ${formerName}’s record or other appointments.`,
    ],
  ]
  return (
    <fieldset className="edit-contact">
      <legend>Is this a correction or another customer?</legend>
      {choices.map(([value, label, effect]) => (
        <label className="edit-choice" key={value}>
          <input
            type="radio"
            name="contactChange"
            checked={chosen === value}
            aria-describedby={error === undefined ? undefined : errorId}
            onChange={() => onChoose(value)}
          />
          <ChoiceText label={label} effect={effect} />
        </label>
      ))}
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  )
}

function ChoiceText({ label, effect }: { label: string; effect: string }) {
  return (
    <span>
      <b>{label}</b> <small className="muted">{effect}</small>
    </span>
  )
}

/** The checkboxes and notes about the emails that the server sends when the user saves. */
function Email({ panel, booking }: { panel: EditPanelState; booking: DayBooking }) {
  const { values, emailAbout, notifies, setNotifies } = panel
  const email = values.email.trim()
  if (values.contactChange === 'other_customer') {
    const former = booking.customer_email
    return (
      <p className="note">
        {email === ''
          ? `No email address, so no confirmation is sent. Please call ${values.phone}.`
          : `The confirmation goes to ${email}.`}
        {former !== null &&
          former !== email &&
          ` An email to ${former} states that the appointment now belongs to another customer.`}
      </p>
    )
  }
  if (emailAbout === undefined) return null
  return (
    <NotifyCheckbox
      email={email === '' ? null : email}
      phone={values.phone}
      isTicked={notifies}
      onTick={setNotifies}
    />
  )
}

function startText(booking: DayBooking): string {
  const { date, time } = editFormOf(booking)
  return formatDateTime(date, time)
}
