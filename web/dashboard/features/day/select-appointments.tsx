import { useEffect, useRef, useState } from 'react'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { StateBadge } from '#web/dashboard/kit/bookings/state-badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { timeOf } from './board/booking-block-text.ts'
import { openStates } from './open-states.ts'
import './select-appointments.css'

type Props = {
  day: ShopDay
  onCancel: (bookings: DayBooking[]) => void
  onEnd: () => void
}

/** Whether the booking can still be cancelled. */
export const isCancellable = ({ state }: DayBooking) => openStates.has(state)

/**
 * A list of the day's bookings with checkboxes, to cancel several at once: for example when an employee is
 * ill, or after automated spam bookings.
 */
export function SelectAppointments({ day, onCancel, onEnd }: Props) {
  const bookings = day.bookings.filter(isCancellable)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const chosen = bookings.filter(({ id }) => ticked.has(id))
  const hasAll = bookings.length > 0 && chosen.length === bookings.length
  const element = useRef<HTMLInputElement>(null)
  useEffect(() => element.current?.focus(), [])
  const toggle = (id: string) =>
    setTicked(
      ticked.has(id) ? new Set([...ticked].filter((one) => one !== id)) : new Set([...ticked, id]),
    )
  return (
    <div className="select-appointments-list" role="group" aria-label="Select appointments">
      <div className="select-bar">
        <label className="checkbox">
          <input
            ref={element}
            type="checkbox"
            checked={hasAll}
            onChange={() => setTicked(new Set(hasAll ? [] : bookings.map(({ id }) => id)))}
          />
          Select all
        </label>
        <span role="status">{chosen.length > 0 && `${chosen.length} selected`}</span>
        <Button
          compact
          level="danger"
          disabled={chosen.length === 0}
          onClick={() => onCancel(chosen)}
        >
          Cancel {chosen.length === 1 ? '1 appointment' : `${chosen.length} appointments`}…
        </Button>
        <Button compact level="quiet" onClick={onEnd}>
          Done
        </Button>
      </div>
      {bookings.length === 0 && <p className="muted">There is no appointment to cancel.</p>}
      <ul aria-label="Appointments">
        {bookings.map((booking) => (
          <li key={booking.id}>
            <label>
              <input
                type="checkbox"
                checked={ticked.has(booking.id)}
                onChange={() => toggle(booking.id)}
              />
              <b>{timeOf(booking.starts_at)}</b>
              <span>
                <strong>{booking.customer_name}</strong>{' '}
                {[vehicleName(booking), booking.service_name, bayOf(booking, day)]
                  .filter(Boolean)
                  .join(', ')}
              </span>
              <StateBadge booking={booking} />
            </label>
          </li>
        ))}
      </ul>
    </div>
  )
}

const bayOf = ({ bay_id }: DayBooking, { bays }: ShopDay) =>
  bays.find(({ id }) => id === bay_id)?.name ?? 'no bay yet'
