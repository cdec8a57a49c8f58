import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CustomerRecord } from '#contracts/customers.ts'
import { vehicleLink } from '#web/dashboard/kit/navigation/links.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { VehicleDialog } from '#web/dashboard/kit/customers/vehicle-dialog.tsx'
import { formatVehicleDetail, formatVehicle } from '#web/dashboard/kit/customers/customer-text.ts'
import { Button } from '#web/ui/button/button.tsx'

/** The vehicles of a customer, each with a link to its page. */
export function VehicleList({ customer }: { customer: CustomerRecord }) {
  const [isAdding, setIsAdding] = useState(false)
  return (
    <section className="card customer-section">
      <header>
        <h3>Vehicles</h3>
        <Button compact level="quiet" onClick={() => setIsAdding(true)}>
          <Icon name="plus" />
          Add vehicle
        </Button>
      </header>
      {customer.vehicles.length === 0 && <p className="customer-none">No vehicles.</p>}
      <ul className="customer-vehicles">
        {customer.vehicles.map((vehicle) => (
          <li key={vehicle.id}>
            <Link {...vehicleLink(vehicle.id)}>
              <Icon name="car" />
              <span>
                <b>{formatVehicle(vehicle)}</b> <small>{formatVehicleDetail(vehicle)}</small>
              </span>{' '}
              {vehicle.plate && <span className="plate">{vehicle.plate}</span>}
            </Link>
          </li>
        ))}
      </ul>
      {isAdding && <VehicleDialog customerId={customer.id} onClose={() => setIsAdding(false)} />}
    </section>
  )
}
