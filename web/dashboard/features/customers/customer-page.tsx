import { OwnerOnly } from '#web/dashboard/kit/staff/staff-role.tsx'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { CustomerRecord } from '#contracts/customers.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'
import { useOpenPhoneBooking } from '#web/dashboard/kit/bookings/phone-booking-prefill.ts'
import { mailto } from '#web/lib/browser/mailto.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { useRecentRecord } from '#web/dashboard/kit/records/use-recent-record.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { TypedEmails } from '#web/dashboard/kit/customers/customer-emails.tsx'
import { VehicleList } from './vehicle-list.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import { RecordLoadFailure } from '#web/dashboard/kit/customers/record-load-failure.tsx'
import { EditCustomerDialog } from './edit-customer-dialog.tsx'
import { CreateEstimateButton } from '#web/dashboard/kit/customers/create-estimate-button.tsx'
import { isNotFound } from '#web/dashboard/kit/customers/is-not-found.ts'
import { MessagesCard } from './messages-card.tsx'
import { NotesCard } from './notes-card.tsx'
import { readCustomer } from '#web/dashboard/kit/customers/customers-api.ts'
import {
  formatCount,
  formatInstantMonth,
  pastText,
} from '#web/dashboard/kit/customers/customer-text.ts'
import {
  EstimateRecords,
  InvoiceRecords,
  TaskRecords,
  AppointmentRecords,
} from '#web/dashboard/kit/customers/customer-records.tsx'
import { DuplicateCandidates, ActiveMerges } from './duplicate-candidates.tsx'
import { useIsBeingErased } from './use-is-being-erased.ts'
import { customersKey, useLiveCustomers } from '#web/dashboard/kit/customers/use-live-customers.ts'
import { Button } from '#web/ui/button/button.tsx'
import { MergeAndSplitCard } from './merge-and-split-card.tsx'
import '#web/dashboard/kit/customers/customers.css'
import '#web/dashboard/kit/customers/merge-and-split-card.css'

/** A customer's page: contact details, vehicles and all records (docs/product.md 16.21). */
export function CustomerPage() {
  const { id } = useParams({ from: '/customers/$id' })
  const navigate = useNavigate()
  const customer = useQuery({
    queryKey: [customersKey, 'person', id],
    queryFn: () => readCustomer(id),
    enabled: !useIsBeingErased(id),
  })
  useLiveCustomers()
  useRecentRecord('customer', customer.data?.id, customer.data?.name)
  // After a customer was erased in another window, the page must not show the cached record of that customer.
  if (customer.isError && (!customer.data || isNotFound(customer.error))) {
    return (
      <RecordLoadFailure
        what="customer"
        error={customer.error}
        onRetry={() => void customer.refetch()}
      />
    )
  }
  if (!customer.data) return <Skeleton />
  return (
    <article className="people">
      <CustomerHead customer={customer.data} />
      <CustomerTotals customer={customer.data} />
      {customer.data.unconfirmedEmails.length > 0 && (
        <div className="note customer-entered-online">
          <TypedEmails emails={customer.data.unconfirmedEmails} />
        </div>
      )}
      <DuplicateCandidates customer={customer.data} />
      <ActiveMerges customer={customer.data} />
      <div className="record-columns customer-columns">
        <div className="record-column">
          <VehicleList customer={customer.data} />
          <AppointmentRecords customer={customer.data} />
          <EstimateRecords customer={customer.data} />
          <InvoiceRecords customer={customer.data} />
          <TaskRecords tasks={customer.data.tasks} />
        </div>
        <aside className="record-column">
          <NotesCard customer={customer.data} />
          <MessagesCard customer={customer.data} />
          <MergeAndSplitCard customer={customer.data} />
          <OwnerOnly>
            <PrivacyCard
              customer={customer.data}
              onErased={() => void navigate({ to: '/today', replace: true })}
            />
          </OwnerOnly>
        </aside>
      </div>
    </article>
  )
}

function CustomerHead({ customer }: { customer: CustomerRecord }) {
  const panel = usePanel()
  const openPhoneBooking = useOpenPhoneBooking()
  const [isEditing, setIsEditing] = useState(false)
  const { noShows, bookings } = customer.totals
  const onlyVehicle = customer.vehicles.length === 1 ? customer.vehicles[0] : undefined
  return (
    <header className="record-head customer-head">
      <div>
        <button
          type="button"
          className="record-back"
          onClick={() => panel.open({ panel: 'search' })}
        >
          <Icon name="chevron-left" />
          Search
        </button>
        <h2 tabIndex={-1}>
          {customer.name}{' '}
          {noShows > 0 && (
            <Badge tone="warn">
              {formatCount(noShows, 'no-show')} of {bookings + noShows}
            </Badge>
          )}
        </h2>
        <p className="customer-reach">
          {customer.phone && <a href={tel(customer.phone)}>{customer.phone}</a>}
          {customer.email && <a href={mailto(customer.email)}>{customer.email}</a>}
          <span className="muted">Customer since {formatInstantMonth(customer.since)}</span>
        </p>
      </div>
      <div className="customer-actions">
        <Button compact onClick={() => setIsEditing(true)}>
          <Icon name="pencil" />
          Edit
        </Button>
        <CreateEstimateButton
          bookings={customer.bookings}
          quotes={customer.quotes}
          otherwise={onlyVehicle ? { vehicleId: onlyVehicle.id } : { customerId: customer.id }}
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
      {isEditing && <EditCustomerDialog customer={customer} onClose={() => setIsEditing(false)} />}
    </header>
  )
}

function CustomerTotals({ customer: { totals, bookings } }: { customer: CustomerRecord }) {
  return (
    <dl className="customer-highlights">
      <div>
        <dt>Appointments</dt>
        <dd>
          {bookings.length} <small>{pastText(totals)}</small>
        </dd>
      </div>
      <div>
        <dt>Total paid</dt>
        <dd>{formatCents(totals.paidCents)}</dd>
      </div>
      <div>
        <dt>Open balance</dt>
        <dd>{formatCents(totals.openCents)}</dd>
      </div>
    </dl>
  )
}
