import { useId, useRef, useState, type ReactNode } from 'react'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { useShortcuts } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { ConfirmDialog, SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { VehicleField, ExistingCustomer, NewCustomer, OptionalFields } from './customer-fields.tsx'
import { BookingCustomerSearch } from './booking-customer-search.tsx'
import { useFormKeys } from './use-form-keys.ts'
import { SlotProblemNotice } from '../slot/slot-problem-notice.tsx'
import { slotWarnings } from '../slot/slot-problem.ts'
import { noBay } from './phone-bookings-api.ts'
import { SameVehicleNotice } from '../same-vehicle-notice.tsx'
import { SlotFields } from '../slot/slot-fields.tsx'
import { type PhoneBookingPanelState, usePhoneBookingPanel } from './use-phone-booking-panel.ts'
import type { SlotStart } from '../slot/use-proposed-slot.ts'
import './phone-booking.css'

type Props = {
  /** The free slot or the date from which the panel was opened; undefined means today. */
  start: SlotStart | undefined
  onClose: () => void
}

/** Panel for booking by phone: the customer, the service, the time, and Save. */
export function PhoneBookingPanel({ start, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const formId = useId()
  const today = useShopToday()
  const [anyTime] = useState({ date: today })
  const quickAdd = usePhoneBookingPanel({
    start: start ?? anyTime,
    element,
    onBooked: onClose,
  })
  useFormKeys(element)
  const [isDiscarding, setIsDiscarding] = useState(false)
  const isOffline = useOfflineSince() !== undefined
  const close = () => (quickAdd.hasInput ? setIsDiscarding(true) : onClose())
  const { slot, slotProblem } = quickAdd.placing
  return (
    <SidePanel
      open
      busy={quickAdd.isBusy}
      onClose={close}
      title={
        <>
          Book by phone <small>{formatDateTime(slot.date, slot.time)}</small>
        </>
      }
      footer={
        <FormActions
          label="Save"
          busyLabel="Saving…"
          isBusy={quickAdd.isBusy}
          disabled={isOffline}
          tone={slotProblem ? 'secondary' : 'primary'}
          onCancel={close}
          form={formId}
        />
      }
    >
      <form
        id={formId}
        ref={element}
        className="quick-add"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          quickAdd.save()
        }}
      >
        {isOffline && (
          <p role="status">No connection. Nothing is saved until the connection is back.</p>
        )}
        <CustomerSection quickAdd={quickAdd} />
        <WhatAndWhen quickAdd={quickAdd} />
        {quickAdd.failure && (
          <Notice tone="bad" title="Could not book the appointment.">
            {quickAdd.failure} Your entries are kept.
          </Notice>
        )}
        <ShortcutSwitch />
      </form>
      <ConfirmDialog
        open={isDiscarding}
        title="Discard this booking?"
        confirmLabel="Discard"
        onClose={() => setIsDiscarding(false)}
        onConfirm={() => {
          quickAdd.forget()
          onClose()
        }}
      >
        <p>The appointment has not been booked yet.</p>
      </ConfirmDialog>
    </SidePanel>
  )
}

function CustomerSection({ quickAdd }: { quickAdd: PhoneBookingPanelState }) {
  const { customer, form, input } = quickAdd
  if (customer === undefined) {
    return (
      <BookingCustomerSearch
        initialSearch={quickAdd.search}
        error={quickAdd.searchError}
        onType={quickAdd.setSearch}
        onChoose={quickAdd.choose}
        onNew={quickAdd.beginNew}
      />
    )
  }
  if (customer === 'new') {
    return (
      <NewCustomer
        form={form}
        phone={input.phone}
        matches={quickAdd.sameNumber}
        onChoose={(match) => quickAdd.choose(match, 0)}
      />
    )
  }
  return (
    <ExistingCustomer
      customer={customer}
      vehicleIndex={quickAdd.vehicleIndex}
      form={form}
      onSelectVehicle={quickAdd.selectVehicle}
      onChange={quickAdd.resetCustomer}
      onUseEmail={quickAdd.useEmail}
    />
  )
}

function WhatAndWhen({ quickAdd }: { quickAdd: PhoneBookingPanelState }) {
  const { customer, form, placing, promptCount } = quickAdd
  const { slot, service, slotProblem, check, day, services } = placing
  return (
    <>
      {services.isError && (
        <LoadFailure
          title="The services could not be loaded."
          onRetry={() => void services.refetch()}
        />
      )}
      <SlotFields
        slot={slot}
        services={services.data ?? []}
        day={day}
        slotProblem={slotProblem}
        onChange={placing.change}
      />
      <div role="status">
        {slotProblem && service ? (
          <SlotProblemNotice
            slotProblem={slotProblem}
            minutes={service.duration_minutes}
            freeTimes={placing.freeTimes}
            bays={day?.bays ?? []}
            anyway={slotProblem.isRefused ? 'Book without a bay' : 'Book anyway'}
            promptCount={promptCount}
            onSelect={placing.selectTime}
            onBookAnyway={quickAdd.bookAnyway}
          />
        ) : (
          check && <Remarks>{slotWarnings(check).join(' ')}</Remarks>
        )}
        <SameVehicleNotice others={quickAdd.sameVehicle} bays={day?.bays ?? []} />
      </div>
      {slot.bayId === noBay && (
        <Input
          {...form.field('reason')}
          label="Why no bay?"
          required
          hint="Saved in the appointment history. Please don’t use names."
        />
      )}
      {customer === 'new' && <VehicleField form={form} />}
      {quickAdd.hasEmailField && (
        <Input
          {...form.field('email')}
          label={<OptionalFields>Email</OptionalFields>}
          type="email"
          autoComplete="off"
        />
      )}
      <TextArea
        {...form.field('notes')}
        label={<OptionalFields>Customer’s request</OptionalFields>}
        rows={2}
      />
      {customer && <ConfirmationText email={quickAdd.input.email.trim()} />}
    </>
  )
}

/** States whether saving sends a confirmation email to the customer. */
function ConfirmationText({ email }: { email: string }) {
  const canSendEmail = useCanSendEmail()
  return (
    <p className="muted">
      {email
        ? canSendEmail
          ? `The confirmation goes to ${email}.`
          : `Email is not set up. The confirmation to ${email} is kept in the outbox.`
        : 'No email address, so no confirmation is sent.'}
    </p>
  )
}

function Remarks({ children }: { children: ReactNode }) {
  return children ? <p className="note">{children}</p> : null
}

/** The switch that turns off single-letter shortcuts, as WCAG 2.1.4 requires. */
function ShortcutSwitch() {
  const [areOn, change] = useShortcuts()
  return (
    <Switch checked={areOn} onChange={({ target }) => change(target.checked)}>
      The key N opens this panel
    </Switch>
  )
}
