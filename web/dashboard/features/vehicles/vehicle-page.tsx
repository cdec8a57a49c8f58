import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { VehicleRecord } from '#contracts/customers.ts'
import { useOpenPhoneBooking } from '#web/dashboard/kit/bookings/phone-booking-prefill.ts'
import { customerLink } from '#web/dashboard/kit/navigation/links.ts'
import { useRecentRecord } from '#web/dashboard/kit/records/use-recent-record.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { VehicleDialog } from '#web/dashboard/kit/customers/vehicle-dialog.tsx'
import { VehicleTimeline } from './vehicle-timeline.tsx'
import { CreateEstimateButton } from '#web/dashboard/kit/customers/create-estimate-button.tsx'
import { VehicleOwner } from './vehicle-owner.tsx'
import { RecordLoadFailure } from '#web/dashboard/kit/customers/record-load-failure.tsx'
import { OdometerCard } from './odometer-card.tsx'
import { readVehicle } from '#web/dashboard/kit/customers/customers-api.ts'
import { formatVehicle } from '#web/dashboard/kit/customers/customer-text.ts'
import { TaskRecords } from '#web/dashboard/kit/customers/customer-records.tsx'
import { customersKey, useLiveCustomers } from '#web/dashboard/kit/customers/use-live-customers.ts'
import { Button } from '#web/ui/button/button.tsx'
import '#web/dashboard/kit/customers/customers.css'
import '#web/dashboard/kit/customers/merge-and-split-card.css'
import './vehicle.css'

/**
 * The page of a vehicle. Its history lists due maintenance, declined jobs and past work with the mileage of each entry
 * (docs/product.md 16.22).
 */
export function VehiclePage() {
  const { id } = useParams({ from: '/vehicles/$id' })
  const vehicle = useQuery({ queryKey: [customersKey, 'car', id], queryFn: () => readVehicle(id) })
  useLiveCustomers()
  useRecentRecord('vehicle', vehicle.data?.id, vehicle.data && formatVehicle(vehicle.data))
  if (vehicle.isError && !vehicle.data) {
    return (
      <RecordLoadFailure
        what="vehicle"
        error={vehicle.error}
        onRetry={() => void vehicle.refetch()}
      />
    )
  }
  if (!vehicle.data) return <Skeleton />
  return (
    <article className="people">
      <VehicleHead vehicle={vehicle.data} />
      <div className="record-columns customer-columns">
        <div className="record-column">
          <VehicleTimeline vehicle={vehicle.data} />
          <TaskRecords tasks={vehicle.data.tasks} />
        </div>
        <aside className="record-column">
          {vehicle.data.note && (
            <section className="card customer-card">
              <h3>Notes</h3>
              <p className="customer-line-breaks">{vehicle.data.note}</p>
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
  const openPhoneBooking = useOpenPhoneBooking()
  return (
    <header className="record-head customer-head">
      <div>
        <Link className="record-back" {...customerLink(customer.id)}>
          <Icon name="chevron-left" />
          {customer.name}
        </Link>
        <h2 tabIndex={-1}>
          {formatVehicle(vehicle)}{' '}
          {vehicle.plate && <span className="plate plate-large">{vehicle.plate}</span>}
        </h2>
        <p className="customer-reach">
          {vehicle.color && <span className="muted">{vehicle.color}</span>}
          {vehicle.vin ? <span>VIN {vehicle.vin}</span> : <span className="muted">No VIN yet</span>}
        </p>
      </div>
      <div className="customer-actions">
        <Button compact onClick={() => setIsEditing(true)}>
          <Icon name="pencil" />
          Edit
        </Button>
        <CreateEstimateButton
          bookings={vehicle.bookings}
          quotes={vehicle.quotes}
          otherwise={{ vehicleId: vehicle.id }}
        />
        <Button
          compact
          level="primary"
          onClick={() =>
            openPhoneBooking({ kind: 'known', name: customer.name, phone: customer.phone })
          }
        >
          <Icon name="plus" />
          Book
        </Button>
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
