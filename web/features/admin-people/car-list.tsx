import { useState } from 'react'
import type { CustomerRecord } from '#contracts/people.ts'
import { vehicleLink } from '#web/lib/record-links.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { VehicleDialog } from './car-dialog.tsx'
import { formatVehicleDetail, formatVehicle } from './people-words.ts'

/** The cars of a person, each leading to its page. */
export function VehicleList({ person }: { person: CustomerRecord }) {
  const [isAdding, setIsAdding] = useState(false)
  return (
    <section className="card people-section">
      <header>
        <h3>Vehicles</h3>
        <button type="button" className="action action-quiet" onClick={() => setIsAdding(true)}>
          <Icon name="plus" />
          Add vehicle
        </button>
      </header>
      {person.cars.length === 0 && <p className="people-none">No vehicles.</p>}
      <ul className="people-cars">
        {person.cars.map((car) => (
          <li key={car.id}>
            <SearchLink search={vehicleLink(car.id)}>
              <Icon name="car" />
              <span>
                <b>{formatVehicle(car)}</b> <small>{formatVehicleDetail(car)}</small>
              </span>{' '}
              {car.plate && <span className="plate">{car.plate}</span>}
            </SearchLink>
          </li>
        ))}
      </ul>
      {isAdding && <VehicleDialog personId={person.id} onClose={() => setIsAdding(false)} />}
    </section>
  )
}
