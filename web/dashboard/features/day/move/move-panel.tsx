import { capitalized } from '#domain/text/capitalized.ts'
import { useId } from 'react'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { formatLength } from '#domain/text/span-text.ts'
import { formatNarrowDateTime } from '#domain/calendar/date-time-text.ts'
import { SlotProblemNotice } from '../slot/slot-problem-notice.tsx'
import { doesNotFit, slotWarnings } from '../slot/slot-problem.ts'
import { type MoveTarget } from './move-api.ts'
import { MoveDays, MoveTimes } from './move-times.tsx'
import { formatBay, formatEnd, changesOf, emailSubjectLine, moveLabel } from './move-text.ts'
import { openStates } from '../open-states.ts'
import { noBay } from '../phone-booking/phone-bookings-api.ts'
import { WhenFields } from '../slot/slot-fields.tsx'
import { NotifyCheckbox } from './notify-checkbox.tsx'
import { type MovePanelState, useMovePanel } from './use-move-panel.ts'
import './move-panel.css'

type Props = {
  booking: DayBooking
  bays: ShopDay['bays']
  /** The slot on which the user dropped the booking, if the slot has a conflict; otherwise empty. */
  start: Partial<MoveTarget>
  /** Whether the save failed because another booking took the slot in the meantime. */
  wasTaken: boolean
  onBack: () => void
  /** Called with the new date of the booking. */
  onMoved: (date: string) => void
}

/** Panel that moves a booking to another time or bay or changes its duration, and optionally notifies the customer. */
export function MovePanel(props: Props) {
  const { booking, bays, onBack } = props
  const formId = useId()
  const panel = useMovePanel({ ...props, today: useShopToday() })
  const { form, isBusy } = panel
  const isOffline = useOfflineSince() !== undefined
  const isOpen = openStates.has(booking.state)
  return (
    <SidePanel
      open
      busy={isBusy}
      onClose={onBack}
      title={
        <>
          <span tabIndex={-1} data-first-focus>
            Move {booking.customer_name}
          </span>{' '}
          <small>{[booking.service_name, vehicleName(booking)].filter(Boolean).join(', ')}</small>
        </>
      }
      footer={
        <FormActions
          label={moveLabel(form.own, form.slot, bays)}
          busyLabel="Moving…"
          isBusy={isBusy}
          disabled={isOffline || !isOpen || !form.isChanged || form.isChecking}
          tone={panel.slotProblem ? 'secondary' : 'primary'}
          cancelLabel="Back"
          onCancel={onBack}
          form={formId}
        />
      }
    >
      <form
        id={formId}
        className="move"
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
            Only open appointments can be moved.
          </Notice>
        )}
        {panel.wasChanged && (
          <Notice title="Someone else changed this appointment.">
            “Now” shows the current time of the appointment. Your choice is kept.
          </Notice>
        )}
        <FromTo form={form} bays={bays} />
        <MoveDays form={form} />
        <MoveTimes form={form} bays={bays} />
        <AllTimes panel={panel} />
        <MoveProblem panel={panel} bays={bays} />
        <LengthAndBay panel={panel} />
        <NotifyField panel={panel} booking={booking} />
        {panel.failure && (
          <Notice tone="bad" title="Could not move the appointment.">
            {panel.failure}
          </Notice>
        )}
      </form>
    </SidePanel>
  )
}

function FromTo({ form, bays }: { form: MovePanelState['form']; bays: ShopDay['bays'] }) {
  const slotRow = (name: string, slot: MoveTarget) => (
    <p>
      <small>{name}</small>
      <b>{formatNarrowDateTime(slot.date, slot.time)}</b>
      <span>
        {capitalized(formatBay(slot.bayId, bays))}
        {form.own.minutes !== form.slot.minutes && `, until ${formatEnd(slot)}`}
      </span>
    </p>
  )
  return (
    <div className="move-from-to">
      {slotRow('Now', form.own)}
      <Icon name="arrow-right" />
      {form.isChanged ? (
        slotRow('New', form.slot)
      ) : (
        <p>
          <small>New</small>
          <b>Choose a time</b>
        </p>
      )}
    </div>
  )
}

/**
 * The button 'Show all times', which opens fields for any start time. The list of free times above the button shows
 * only times that fit.
 */
function AllTimes({ panel }: { panel: MovePanelState }) {
  const { form, showsAll, showAll } = panel
  const { slot } = form
  return (
    <>
      <p className="move-note">
        {formatLength(slot.minutes)}. Times that do not fit are not shown.{' '}
        <button
          type="button"
          className="touch-link move-all"
          aria-expanded={showsAll}
          onClick={() => showAll(!showsAll)}
        >
          {showsAll ? 'Hide all times' : 'Show all times'}
        </button>
      </p>
      {showsAll && (
        <WhenFields
          slot={{ ...slot, serviceId: panel.serviceId }}
          day={form.bookable}
          slotProblem={panel.slotProblem}
          onChange={form.change}
        />
      )}
    </>
  )
}

/**
 * Fields for the first date in the list of free times, for the end of the appointment (also on a later date), and for
 * the choice whether the booking has a bay.
 */
function LengthAndBay({ panel }: { panel: MovePanelState }) {
  const { form, showsAll, slotProblem, reasonError } = panel
  const { slot } = form
  // The time field is hidden until the user presses 'Show all times'.
  const endError = slotProblem?.field === 'time' && !showsAll ? doesNotFit : undefined
  return (
    <>
      <div className="move-columns">
        <Input
          label="First day of the list"
          type="date"
          min="2000-01-01"
          max="2099-12-31"
          value={form.firstDate}
          onChange={({ target }) => target.value && form.showFrom(target.value)}
        />
        <Input
          label="Appointment ends"
          type="datetime-local"
          step={300}
          value={form.until}
          error={form.lengthError ?? endError}
          onChange={({ target }) => form.changeUntil(target.value)}
        />
      </div>
      {slot.bayId === noBay
        ? form.own.bayId !== noBay && (
            <Input
              label="Why no bay?"
              name="reason"
              required
              maxLength={300}
              hint="Saved in the appointment history. Please don’t use names."
              value={slot.reason}
              error={reasonError}
              onChange={({ target }) => form.change({ reason: target.value })}
            />
          )
        : // Hidden while the notice about an occupied slot is shown, because that notice offers the same choice.
          !slotProblem?.isRefused && (
            <Button
              compact
              level="quiet"
              className="move-no-bay"
              onClick={() => form.change({ bayId: noBay })}
            >
              Leave without a bay
            </Button>
          )}
    </>
  )
}

function MoveProblem({ panel, bays }: { panel: MovePanelState; bays: ShopDay['bays'] }) {
  const { form, slotProblem, promptCount } = panel
  const remarks = form.check && !slotProblem ? slotWarnings(form.check).join(' ') : ''
  return (
    <div role="status">
      {slotProblem && (
        <SlotProblemNotice
          slotProblem={slotProblem}
          minutes={form.slot.minutes}
          freeTimes={form.check?.free_times ?? []}
          bays={bays}
          anyway={slotProblem.isRefused ? 'Leave without a bay' : 'Move anyway'}
          promptCount={promptCount}
          onSelect={form.selectTime}
          onBookAnyway={form.moveAnyway}
        />
      )}
      {remarks && <p className="note">{remarks}</p>}
    </div>
  )
}

function NotifyField({ panel, booking }: { panel: MovePanelState; booking: DayBooking }) {
  const { form, notifies, setNotifies } = panel
  if (!changesOf(form.own, form.slot).time) return null
  return (
    <div>
      <NotifyCheckbox
        email={booking.customer_email}
        phone={booking.customer_phone}
        isTicked={notifies}
        onTick={setNotifies}
      />
      {notifies && booking.customer_email !== null && (
        <p className="move-email">“{emailSubjectLine(booking, form.slot)}”</p>
      )}
    </div>
  )
}
