import type { Booking } from '#contracts/bookings.ts'
import type { DayBooking } from '#contracts/day.ts'
import { taskLink } from '#web/lib/record-links.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { openStates } from './open-states.ts'
import { EstimateButton } from './repair-thread.tsx'

type Props = {
  booking: DayBooking
  /** The appointment as the other tabs know it; undefined while it is read. */
  record: Booking | undefined
  /** While a step is taken, or nothing can be saved. */
  isBusy: boolean
  onStep: (state: string) => void
  onMove: () => void
  onAddToTasks: (booking: Booking) => void
}

type Step = { readonly label: string; readonly state: string }

const complete: Step = { label: 'Complete', state: 'completed' }
const arrive: Step = { label: 'Arrived', state: 'arrived' }

/** The likely next step by state; what is over has none. */
const nextSteps: Readonly<Record<string, Step>> = {
  confirmed: arrive,
  pending: arrive,
  arrived: { label: 'Start work', state: 'in_work' },
  in_work: complete,
  no_show: arrive,
  not_confirmed: { label: 'Confirm', state: 'confirmed' },
}

/** Steps beside it: what leaves out one, and what takes one back. */
function otherSteps(booking: DayBooking, record: Booking | undefined): Step[] {
  switch (booking.state) {
    case 'confirmed':
    case 'pending':
      return [complete]
    case 'arrived':
      return [complete, { label: 'Undo Arrived', state: 'confirmed' }]
    case 'in_work':
      return [{ label: 'Undo Start', state: 'arrived' }]
    case 'completed':
      // The state that it had when it was completed.
      return record ? [{ label: 'Undo Complete', state: record.status }] : []
    case 'no_show':
      return [{ label: 'Undo No-show', state: 'confirmed' }]
    case 'cancelled':
      return [{ label: 'Reopen', state: 'confirmed' }]
    default:
      return []
  }
}

/** What can be done with an appointment in its state: one dark button, the others beside it. */
export function StepButtons(props: Props) {
  const { booking, record, isBusy, onStep, onMove, onAddToTasks } = props
  const next = nextSteps[booking.state]
  return (
    <div className="visit-steps">
      {next && (
        <button
          type="button"
          className="action action-strong visit-next"
          disabled={isBusy}
          onClick={() => onStep(next.state)}
        >
          <Icon name="check" />
          {next.label}
        </button>
      )}
      {openStates.has(booking.state) && (
        <button type="button" className="action" aria-keyshortcuts="m" onClick={onMove}>
          <Icon name="clock" />
          Move…
        </button>
      )}
      {otherSteps(booking, record).map(({ label, state }) => (
        <button
          key={label}
          type="button"
          className="action"
          disabled={isBusy}
          onClick={() => onStep(state)}
        >
          {label}
        </button>
      ))}
      <EstimateButton bookingId={booking.id} isBusy={isBusy} />
      {record && (booking.has_task || openStates.has(booking.state)) && (
        <TaskOf record={record} onAddToTasks={onAddToTasks} />
      )}
    </div>
  )
}

function TaskOf({
  record,
  onAddToTasks,
}: {
  record: Booking
  onAddToTasks: Props['onAddToTasks']
}) {
  const [task] = record.tasks
  if (task) {
    return (
      <SearchLink className="action" search={taskLink(task.id)}>
        <Icon name="clipboard" />
        In tasks
      </SearchLink>
    )
  }
  return (
    <button type="button" className="action" onClick={() => onAddToTasks(record)}>
      <Icon name="clipboard" />
      Add to Tasks
    </button>
  )
}
