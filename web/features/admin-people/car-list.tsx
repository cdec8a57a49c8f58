import { useState } from 'react'
import type { CustomerRecord } from '#contracts/people.ts'
import { carLink } from '#web/lib/record-links.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { CarDialog } from './car-dialog.tsx'
import { carDetail, carText } from './people-words.ts'

/** The cars of a person, each leading to its page. */
export function CarList({ person }: { person: CustomerRecord }) {
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
            <SearchLink search={carLink(car.id)}>
              <Icon name="car" />
              <span>
                <b>{carText(car)}</b> <small>{carDetail(car)}</small>
              </span>{' '}
              {car.plate && <span className="plate">{car.plate}</span>}
            </SearchLink>
          </li>
        ))}
      </ul>
      {isAdding && <CarDialog personId={person.id} onClose={() => setIsAdding(false)} />}
    </section>
  )
}
