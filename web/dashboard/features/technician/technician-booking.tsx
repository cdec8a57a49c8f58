import type { TechnicianBooking, TechnicianTask } from '#contracts/technician-day.ts'
import { bookingStateLabel } from '#domain/bookings/state-labels.ts'
import { formatShortDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { vehicleLine, vehicleText } from '#domain/customers/vehicle.ts'
import { Badge, type BadgeTone } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { recordStep } from './technician-api.ts'
import { useTechnicianChange } from './use-technician-change.ts'

type Props = { booking: TechnicianBooking; tasks: readonly TechnicianTask[] }

const tones: Readonly<Record<string, BadgeTone>> = {
  pending: 'warn',
  arrived: 'warn',
  in_work: 'strong',
  completed: 'ok',
  no_show: 'danger',
}

/** For each state of a booking, the next state that the technician can record. */
const nextSteps: Readonly<Record<string, { readonly label: string; readonly to: string }>> = {
  confirmed: { label: 'Arrived', to: 'arrived' },
  pending: { label: 'Arrived', to: 'arrived' },
  arrived: { label: 'Start work', to: 'in_work' },
  in_work: { label: 'Complete', to: 'completed' },
}

/**
 * An appointment of the day. Only the technician's own appointments and unassigned ones show details and the next step.
 */
export function TechnicianBookingItem({ booking, tasks }: Props) {
  const { state, is_held: isHeld, assignment } = booking
  return (
    <li className="technician-booking">
      <div className="technician-booking-head">
        <strong>{timesOf(booking)}</strong>
        <Badge tone={isHeld ? 'warn' : (tones[state] ?? 'neutral')}>
          {isHeld ? 'Held' : bookingStateLabel(state)}
        </Badge>
      </div>
      <p className="technician-vehicle">
        {vehicleLine(booking) || 'Vehicle not specified'}
        {booking.vehicle_plate && <b>{booking.vehicle_plate}</b>}
      </p>
      <p>
        {[booking.service_name, booking.bay_name ?? 'No bay yet', booking.first_name].join(', ')}
      </p>
      {booking.notes && <p className="technician-notes">{booking.notes}</p>}
      {tasks.length > 0 && (
        <ul className="technician-booking-tasks">
          {tasks.map(({ id, title, status }) => (
            <li key={id}>
              {title}
              {status === 'completed' && ', done'}
            </li>
          ))}
        </ul>
      )}
      {assignment !== 'other' && <NextStep booking={booking} />}
    </li>
  )
}

function NextStep({ booking }: { booking: TechnicianBooking }) {
  const change = useTechnicianChange()
  const step = nextSteps[booking.state]
  if (!step) return null
  return (
    <Button
      level="strong"
      compact
      large
      disabled={change.isPending}
      onClick={() =>
        change.mutate({
          title: bookingStateLabel(step.to),
          description: `${vehicleText(booking)}, ${startOf(booking)}.`,
          save: () => recordStep(booking, step.to),
        })
      }
    >
      <Icon name="check" />
      {step.label}
      <span className="visually-hidden"> {vehicleText(booking)}</span>
    </Button>
  )
}

const startOf = ({ starts_at: startsAt }: TechnicianBooking) => formatTime(startsAt.slice(11, 16))

/** Start and end of an appointment: '1:00 PM – 2:00 PM'; with dates when the vehicle stays overnight. */
function timesOf(booking: TechnicianBooking): string {
  const { starts_at: from, ends_at: to } = booking
  const isOvernight = from.slice(0, 10) !== to.slice(0, 10)
  const moment = (at: string) =>
    `${isOvernight ? `${formatShortDate(at.slice(0, 10))}, ` : ''}${formatTime(at.slice(11, 16))}`
  return `${moment(from)} – ${moment(to)}`
}
