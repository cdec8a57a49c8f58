import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import type { VehicleRecord } from '#contracts/customers.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { type VehicleHistoryEntry, vehicleHistory } from './vehicle-history.ts'

const orders = [
  { id: 'miles', label: 'Mileage' },
  { id: 'date', label: 'Date' },
] as const
type Order = (typeof orders)[number]['id']

/**
 * The vehicle's history by mileage. Due maintenance and declined jobs are on top with a dashed line, followed by the
 * past entries, latest first.
 */
export function VehicleTimeline({ vehicle }: { vehicle: VehicleRecord }) {
  const [order, setOrder] = useState<Order>('miles')
  const nameOf = useNameOf()
  const odometer = vehicle.odometer.map((reading) => ({
    ...reading,
    recordedBy: nameOf(reading.recordedBy, reading.readOn),
  }))
  const lines = vehicleHistory({ ...vehicle, odometer }, useShopToday())
  return (
    <section className="card customer-section">
      <header>
        <h3>{order === 'miles' ? 'By mileage' : 'By date'}</h3>
        <div className="toggle-buttons" role="group" aria-label="Order">
          {orders.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={id === order} onClick={() => setOrder(id)}>
              {label}
            </button>
          ))}
        </div>
      </header>
      {lines.length === 0 && <p className="customer-none">No records yet.</p>}
      <ol className="odometer-timeline">
        {lines.map((line) => (
          <Line key={line.id} line={line} order={order} />
        ))}
      </ol>
    </section>
  )
}

function Line({ line, order }: { line: VehicleHistoryEntry; order: Order }) {
  const miles = line.milesLabel ?? line.miles?.toLocaleString('en-US') ?? '–'
  const date = line.when ?? (line.date ? formatMediumDate(line.date) : '')
  const [first, second] = order === 'miles' ? [miles, date] : [date, miles]
  return (
    <li data-look={line.timing}>
      <p className="odometer-scale">
        <b>{first}</b> <small>{second}</small>
      </p>
      <div>
        <b>{line.link ? <Link {...line.link}>{line.title}</Link> : line.title}</b>{' '}
        {line.badge && <Badge tone={line.badge.tone}>{line.badge.label}</Badge>}
        <p>
          {line.detail}{' '}
          {line.invoices.map(({ name, link, amount }) => (
            <span key={link.params.id}>
              <Link {...link}>{name}</Link>, {amount}{' '}
            </span>
          ))}
        </p>
      </div>
    </li>
  )
}
