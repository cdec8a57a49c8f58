import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CustomerRecord } from '#contracts/people.ts'
import { formatCents } from '#domain/format-cents.ts'
import { openPhoneBooking } from '#web/lib/booking-wish.ts'
import { mailto } from '#web/lib/mailto.ts'
import { tel } from '#web/lib/tel.ts'
import { navigateSearch } from '#web/lib/use-search-params.ts'
import { useRecentRecord } from '#web/lib/use-opened-record.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TypedEmails } from '#web/ui/typed-emails.tsx'
import { VehicleList } from './car-list.tsx'
import { PrivacyCard } from './data-card.tsx'
import { LoadFailure } from './load-failure.tsx'
import { EditCustomerDialog } from './edit-person-dialog.tsx'
import { CreateEstimateButton } from './estimate-deed.tsx'
import { isNotFound } from './is-gone.ts'
import { MessagesCard } from './messages-card.tsx'
import { NotesCard } from './notes-card.tsx'
import { readCustomer } from './people-api.ts'
import { formatCount, formatInstantMonth, pastText } from './people-words.ts'
import {
  EstimateRecords,
  InvoiceRecords,
  TaskRecords,
  AppointmentRecords,
} from './person-lists.tsx'
import { DuplicateCandidates, ActiveMerges } from './same-person.tsx'
import { useIsBeingErased } from './use-is-being-erased.ts'
import { customersKey, useLiveCustomers } from './use-live-people.ts'
import { MergeAndSplitCard } from './who-is-who.tsx'
import './people.css'
import './who-is-who.css'

type Props = {
  id: string
  /** Back to the search. */
  onSearch: () => void
}

/** Everything about somebody: how they are reached, their cars, and what was between us (docs/product.md 16.21). */
export function CustomerPage({ id, onSearch }: Props) {
  const person = useQuery({
    queryKey: [customersKey, 'person', id],
    queryFn: () => readCustomer(id),
    enabled: !useIsBeingErased(id),
  })
  useLiveCustomers()
  useRecentRecord('customer', person.data?.id, person.data?.name)
  // Who was erased meanwhile is not shown on.
  if (person.isError && (!person.data || isNotFound(person.error))) {
    return (
      <LoadFailure what="customer" error={person.error} onRetry={() => void person.refetch()} />
    )
  }
  if (!person.data) return <Skeleton />
  return (
    <article className="people">
      <PersonHead person={person.data} onSearch={onSearch} />
      <CustomerTotals person={person.data} />
      {person.data.typedEmails.length > 0 && (
        <div className="note people-typed">
          <TypedEmails emails={person.data.typedEmails} />
        </div>
      )}
      <DuplicateCandidates person={person.data} />
      <ActiveMerges person={person.data} />
      <div className="people-columns">
        <div className="people-main">
          <VehicleList person={person.data} />
          <AppointmentRecords person={person.data} />
          <EstimateRecords person={person.data} />
          <InvoiceRecords person={person.data} />
          <TaskRecords tasks={person.data.tasks} />
        </div>
        <aside className="people-rail">
          <NotesCard person={person.data} />
          <MessagesCard person={person.data} />
          <MergeAndSplitCard person={person.data} />
          <PrivacyCard
            person={person.data}
            onErased={() => navigateSearch('?tab=today', { replace: true })}
          />
        </aside>
      </div>
    </article>
  )
}

function PersonHead({ person, onSearch }: { person: CustomerRecord; onSearch: () => void }) {
  const [isEditing, setIsEditing] = useState(false)
  const { noShows, visits } = person.totals
  const onlyCar = person.cars.length === 1 ? person.cars[0] : undefined
  return (
    <header className="people-head">
      <div>
        <button type="button" className="people-back" onClick={onSearch}>
          <Icon name="chevron-left" />
          Search
        </button>
        <h2 tabIndex={-1}>
          {person.name}{' '}
          {noShows > 0 && (
            <Badge tone="warn">
              {formatCount(noShows, 'no-show')} of {visits + noShows}
            </Badge>
          )}
        </h2>
        <p className="people-reach">
          {person.phone && <a href={tel(person.phone)}>{person.phone}</a>}
          {person.email && <a href={mailto(person.email)}>{person.email}</a>}
          <span className="muted">Customer since {formatInstantMonth(person.since)}</span>
        </p>
      </div>
      <div className="people-deeds">
        <button type="button" className="action" onClick={() => setIsEditing(true)}>
          <Icon name="pencil" />
          Edit
        </button>
        <CreateEstimateButton
          visits={person.visits}
          quotes={person.quotes}
          otherwise={onlyCar ? { carId: onlyCar.id } : { personId: person.id }}
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
      {isEditing && <EditCustomerDialog person={person} onClose={() => setIsEditing(false)} />}
    </header>
  )
}

function CustomerTotals({ person: { totals, visits } }: { person: CustomerRecord }) {
  return (
    <dl className="people-facts">
      <div>
        <dt>Appointments</dt>
        <dd>
          {visits.length} <small>{pastText(totals)}</small>
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
