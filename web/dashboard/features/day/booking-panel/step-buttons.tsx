import { Link } from '@tanstack/react-router'
import type { Booking } from '#contracts/bookings/bookings.ts'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { vehicleState } from '#domain/bookings/vehicle-state.ts'
import {
  isInWork,
  type StaffStep,
  stepsBeside,
  vehicleTable,
} from '#domain/bookings/vehicle-state-table.ts'
import { taskLink } from '#web/dashboard/kit/navigation/links.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { openStates } from '../open-states.ts'
import { PaymentStepButton, usePaymentStep } from './payment-step.tsx'
import { EstimateButton } from './repair-records.tsx'

type Props = {
  booking: DayBooking
  /**
   * The complete record of the booking, which loads after the data of the day; undefined until the record is loaded.
   */
  record: Booking | undefined
  /**
   * Whether the panel's buttons are disabled, because a change of the booking is being saved or cannot be saved now.
   */
  isBusy: boolean
  onStep: (state: string) => void
  onMove: () => void
  onEdit: () => void
  onAddToTasks: (booking: Booking) => void
}

/**
 * Returns the actions of the buttons beside the main button. 'Undo' restores the state that a completed booking had
 * before its completion.
 */
function otherSteps(
  { vehicle_facts }: DayBooking,
  record: Booking | undefined,
): readonly StaffStep[] {
  return stepsBeside(vehicleState(vehicle_facts), vehicle_facts).flatMap((step) => {
    if (step.to !== 'before') return [step]
    return record ? [{ ...step, to: record.status }] : []
  })
}

/** The actions that the booking's state allows: one main button, and further buttons beside it. */
export function StepButtons(props: Props) {
  const { booking, record, isBusy, onStep, onMove, onEdit, onAddToTasks } = props
  const next = vehicleTable[vehicleState(booking.vehicle_facts)].panel
  const payment = useNextPayment(booking)
  return (
    <div className="panel-steps">
      {payment && <PaymentStepButton step={payment} />}
      {next && next !== 'task' && (
        <Button
          compact
          level={payment ? 'secondary' : 'strong'}
          className={payment ? undefined : 'panel-next'}
          disabled={isBusy}
          onClick={() => onStep(next.to)}
        >
          <Icon name="check" />
          {next.label}
        </Button>
      )}
      {openStates.has(booking.state) && (
        <>
          <Button compact aria-keyshortcuts="m" onClick={onMove}>
            <Icon name="clock" />
            Move…
          </Button>
          <Button compact aria-keyshortcuts="e" onClick={onEdit}>
            <Icon name="pencil" />
            Edit…
          </Button>
        </>
      )}
      {otherSteps(booking, record).map(({ label, to }) => (
        <Button key={label} compact disabled={isBusy} onClick={() => onStep(to)}>
          {label}
        </Button>
      ))}
      <EstimateButton bookingId={booking.id} isBusy={isBusy} />
      {record && (booking.has_task || openStates.has(booking.state)) && (
        <TaskOf record={record} isNext={next === 'task'} onAddToTasks={onAddToTasks} />
      )}
    </div>
  )
}

/**
 * Returns the payment step that the panel offers for a booking. The step 'Create invoice' is offered only after the
 * work on the vehicle has begun.
 */
function useNextPayment({ id, vehicle_facts }: DayBooking) {
  const step = usePaymentStep(id)
  const isBegun = isInWork(vehicleState(vehicle_facts)) || vehicleState(vehicle_facts) === 'ready'
  return step?.kind === 'pay' || isBegun ? step : undefined
}

function TaskOf({
  record,
  isNext,
  onAddToTasks,
}: {
  record: Booking
  isNext: boolean
  onAddToTasks: Props['onAddToTasks']
}) {
  const [task] = record.tasks
  if (task) {
    return (
      <Link
        className={buttonClass(isNext ? 'strong' : 'secondary', { compact: true })}
        {...taskLink(task.id)}
      >
        <Icon name="clipboard" />
        In tasks
      </Link>
    )
  }
  return (
    <Button compact onClick={() => onAddToTasks(record)}>
      <Icon name="clipboard" />
      Add to Tasks
    </Button>
  )
}
