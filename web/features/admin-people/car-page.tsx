import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { VehicleRecord } from '#contracts/people.ts'
import { openPhoneBooking } from '#web/lib/booking-wish.ts'
import { customerLink } from '#web/lib/record-links.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { useRecentRecord } from '#web/lib/use-opened-record.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VehicleDialog } from './car-dialog.tsx'
import { VehicleTimeline } from './car-timeline.tsx'
import { CreateEstimateButton } from './estimate-deed.tsx'
import { VehicleOwner } from './driven-by.tsx'
import { LoadFailure } from './load-failure.tsx'
import { OdometerCard } from './odometer-card.tsx'
import { readVehicle } from './people-api.ts'
import { formatVehicle } from './people-words.ts'
import { TaskRecords } from './person-lists.tsx'
import { customersKey, useLiveCustomers } from './use-live-people.ts'
import './people.css'
import './who-is-who.css'
import './car.css'

/** A car by its mileage: what is due, what was declined, what was done (docs/product.md 16.22). */
export function VehiclePage({ id }: { id: string }) {
  const vehicle = useQuery({ queryKey: [customersKey, 'car', id], queryFn: () => readVehicle(id) })
  useLiveCustomers()
  useRecentRecord('vehicle', vehicle.data?.id, vehicle.data && formatVehicle(vehicle.data))
  if (vehicle.isError && !vehicle.data) {
    return (
      <LoadFailure what="vehicle" error={vehicle.error} onRetry={() => void vehicle.refetch()} />
    )
  }
  if (!vehicle.data) return <Skeleton />
  return (
    <article className="people">
      <VehicleHead vehicle={vehicle.data} />
      <div className="people-columns">
        <div className="people-main">
          <VehicleTimeline vehicle={vehicle.data} />
          <TaskRecords tasks={vehicle.data.tasks} />
        </div>
        <aside className="people-rail">
          {vehicle.data.note && (
            <section className="card people-card">
              <h3>Notes</h3>
              <p className="people-kept-lines">{vehicle.data.note}</p>
            </section>
          )}
          <OdometerCard vehicle={vehicle.data} />
          <VehicleOwner vehicle={vehicle.data} />
        </aside>
      </div>
    </article>
  )
}

function VehicleHead({ vehicle }: { vehicle: VehicleRecord }) {
  const [isEditing, setIsEditing] = useState(false)
  const { customer } = vehicle
  return (
    <header className="people-head">
      <div>
        <SearchLink className="people-back" search={customerLink(customer.id)}>
          <Icon name="chevron-left" />
          {customer.name}
        </SearchLink>
        <h2 tabIndex={-1}>
          {formatVehicle(vehicle)}{' '}
          {vehicle.plate && <span className="plate plate-large">{vehicle.plate}</span>}
        </h2>
        <p className="people-reach">
          {vehicle.color && <span className="muted">{vehicle.color}</span>}
          {vehicle.vin ? <span>VIN {vehicle.vin}</span> : <span className="muted">No VIN yet</span>}
        </p>
      </div>
      <div className="people-deeds">
        <button type="button" className="action" onClick={() => setIsEditing(true)}>
          <Icon name="pencil" />
          Edit
        </button>
        <CreateEstimateButton
          bookings={vehicle.bookings}
          quotes={vehicle.quotes}
          otherwise={{ vehicleId: vehicle.id }}
        />
        <button
          type="button"
          className="action action-primary"
          onClick={() =>
            openPhoneBooking({ kind: 'known', name: customer.name, phone: customer.phone })
          }
        >
          <Icon name="plus" />
          Book
        </button>
      </div>
      {isEditing && (
        <VehicleDialog
          vehicle={vehicle}
          customerId={customer.id}
          onClose={() => setIsEditing(false)}
        />
      )}
    </header>
  )
}
