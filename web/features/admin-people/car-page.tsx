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
  const car = useQuery({ queryKey: [customersKey, 'car', id], queryFn: () => readVehicle(id) })
  useLiveCustomers()
  useRecentRecord('vehicle', car.data?.id, car.data && formatVehicle(car.data))
  if (car.isError && !car.data) {
    return <LoadFailure what="vehicle" error={car.error} onRetry={() => void car.refetch()} />
  }
  if (!car.data) return <Skeleton />
  return (
    <article className="people">
      <CarHead car={car.data} />
      <div className="people-columns">
        <div className="people-main">
          <VehicleTimeline car={car.data} />
          <TaskRecords tasks={car.data.tasks} />
        </div>
        <aside className="people-rail">
          {car.data.note && (
            <section className="card people-card">
              <h3>Notes</h3>
              <p className="people-kept-lines">{car.data.note}</p>
            </section>
          )}
          <OdometerCard car={car.data} />
          <VehicleOwner car={car.data} />
        </aside>
      </div>
    </article>
  )
}

function CarHead({ car }: { car: VehicleRecord }) {
  const [isEditing, setIsEditing] = useState(false)
  const { person } = car
  return (
    <header className="people-head">
      <div>
        <SearchLink className="people-back" search={customerLink(person.id)}>
          <Icon name="chevron-left" />
          {person.name}
        </SearchLink>
        <h2 tabIndex={-1}>
          {formatVehicle(car)} {car.plate && <span className="plate plate-large">{car.plate}</span>}
        </h2>
        <p className="people-reach">
          {car.color && <span className="muted">{car.color}</span>}
          {car.vin ? <span>VIN {car.vin}</span> : <span className="muted">No VIN yet</span>}
        </p>
      </div>
      <div className="people-deeds">
        <button type="button" className="action" onClick={() => setIsEditing(true)}>
          <Icon name="pencil" />
          Edit
        </button>
        <CreateEstimateButton
          visits={car.visits}
          quotes={car.quotes}
          otherwise={{ carId: car.id }}
        />
        <button
          type="button"
          className="action action-primary"
          onClick={() =>
            openPhoneBooking({ kind: 'known', name: person.name, phone: person.phone })
          }
        >
          <Icon name="plus" />
          Book
        </button>
      </div>
      {isEditing && (
        <VehicleDialog car={car} personId={person.id} onClose={() => setIsEditing(false)} />
      )}
    </header>
  )
}
