import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type {
  PhoneBookingCustomer,
  PhoneBookingVehicle,
} from '#contracts/bookings/phone-bookings.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { formatShortDate } from '#domain/calendar/calendar-date.ts'
import { minSearchLength, useDebouncedText } from '#web/lib/forms/use-debounced-text.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { findCustomers } from './phone-bookings-api.ts'

const listId = 'booking-customer-hits'
const hitId = (index: number) => `caller-hit-${index}`

/**
 * A result of the customer search: a customer with one vehicle, or a customer without a vehicle (`vehicleIndex` -1). A
 * result without `customer` creates a new customer.
 */
type Hit = { readonly customer?: PhoneBookingCustomer; readonly vehicleIndex: number }

type Props = {
  /** The search text that the user typed before closing the panel, from the draft of the booking. */
  initialSearch: string
  error: string | undefined
  onType: (search: string) => void
  onChoose: (customer: PhoneBookingCustomer, vehicleIndex: number) => void
  onNew: (search: string) => void
}

/**
 * The field in which staff search for the customer who is calling. Results appear during typing. Enter selects the
 * highlighted result.
 */
export function BookingCustomerSearch({ initialSearch, error, onType, onChoose, onNew }: Props) {
  const [input, setInput] = useState(initialSearch)
  const [active, setActive] = useState(0)
  const found = useCustomers(input)
  const isOpen = input.trim().length >= minSearchLength
  const hits = [...hitsOf(found.data ?? []), { vehicleIndex: -1 }]
  const choose = (hit: Hit | undefined) => {
    if (hit?.customer) onChoose(hit.customer, hit.vehicleIndex)
    else onNew(input)
  }
  const followKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') event.preventDefault()
    if (!isOpen) return
    // While the search is pending, Enter does nothing, because the search may still find the customer.
    if (event.key === 'Enter' && !found.isPending) return choose(hits[active])
    if (!step) return
    event.preventDefault()
    setActive((active + step + hits.length) % hits.length)
  }
  return (
    <div className="booking-customer-search">
      <Input
        label="Who is calling?"
        name="search"
        placeholder="Phone, name or vehicle"
        maxLength={100}
        autoComplete="off"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen ? hitId(active) : undefined}
        aria-autocomplete="list"
        value={input}
        error={error}
        onKeyDown={followKey}
        onChange={({ target }) => {
          setInput(target.value)
          setActive(0)
          onType(target.value)
        }}
      />
      {isOpen ? (
        <HitList hits={hits} found={found} active={active} input={input} onSelect={choose} />
      ) : (
        <Button compact level="quiet" onClick={() => onNew('')}>
          <Icon name="plus" />
          New customer
        </Button>
      )}
    </div>
  )
}

/**
 * Searches for customers when the user pauses typing. `isPending` is true until the results belong to the current
 * input.
 */
function useCustomers(input: string) {
  const search = input.trim()
  const debounced = useDebouncedText(input)
  const found = useQuery({
    queryKey: ['bookings', 'phone-customers', debounced],
    queryFn: () => findCustomers(debounced),
    enabled: debounced.length >= minSearchLength,
  })
  const isCurrent = debounced === search
  return {
    data: isCurrent ? found.data : undefined,
    isPending: !isCurrent || found.isPending,
    isError: isCurrent && found.isError,
  }
}

const hitsOf = (customers: readonly PhoneBookingCustomer[]): Hit[] =>
  customers.flatMap((customer) =>
    customer.vehicles.length === 0
      ? [{ customer, vehicleIndex: -1 }]
      : customer.vehicles.map((_, vehicleIndex) => ({ customer, vehicleIndex })),
  )

function HitList(props: {
  hits: readonly Hit[]
  found: { isPending: boolean; isError: boolean }
  active: number
  input: string
  onSelect: (hit: Hit) => void
}) {
  const { hits, found, active, input, onSelect } = props
  return (
    <>
      <div className="booking-customer-hits" role="listbox" id={listId} aria-label="Matches">
        {hits.map((hit, index) => (
          <button
            key={keyOf(hit)}
            type="button"
            role="option"
            // Options are not tab stops, because the focus stays in the field.
            tabIndex={-1}
            id={hitId(index)}
            aria-selected={index === active}
            ref={(line) => {
              if (index === active) line?.scrollIntoView({ block: 'nearest' })
            }}
            onClick={() => onSelect(hit)}
          >
            {hit.customer ? (
              <HitText
                customer={hit.customer}
                vehicle={hit.customer.vehicles[hit.vehicleIndex]}
                isFirst={hits[index - 1]?.customer !== hit.customer}
              />
            ) : (
              <b className="new-booking-customer">
                <Icon name="plus" />
                New customer “{input.trim()}”
              </b>
            )}
          </button>
        ))}
      </div>
      <SearchState found={found} hasNone={hits.length === 1} input={input} />
    </>
  )
}

/**
 * Returns a text that identifies a search result. A result has no customer id, so the text contains the name, the phone
 * number and the index of the vehicle (docs/product.md 12.6).
 */
const keyOf = ({ customer, vehicleIndex }: Hit) =>
  customer ? `${customer.customer_name} ${customer.customer_phone} ${vehicleIndex}` : 'new'

function SearchState(props: {
  found: { isPending: boolean; isError: boolean }
  hasNone: boolean
  input: string
}) {
  const { found, hasNone, input } = props
  const status = found.isError
    ? 'The search failed. You can still book a new customer.'
    : found.isPending
      ? 'Searching…'
      : hasNone && `No customer found for “${input.trim()}”.`
  return (
    <p className="muted" role="status">
      {status}
    </p>
  )
}

function HitText(props: {
  customer: PhoneBookingCustomer
  vehicle: PhoneBookingVehicle | undefined
  isFirst: boolean
}) {
  const { customer, vehicle, isFirst } = props
  return (
    <>
      <span className={isFirst ? 'booking-customer-line' : 'visually-hidden'}>
        <b>{customer.customer_name}</b> <span>{customer.customer_phone}</span>
      </span>{' '}
      {vehicle && <b className="booking-customer-vehicle">{formatSearchVehicle(vehicle)}</b>}{' '}
      <small>{lastHere(customer)}</small>
    </>
  )
}

/** Year, make and model of a vehicle: '2019 Subaru Outback'. */
export function formatSearchVehicle({ year, make, model }: PhoneBookingVehicle): string {
  return vehicleName({ vehicle_year: year, vehicle_make: make, vehicle_model: model })
}

/**
 * Summarizes the customer's last visit, next appointment and no-shows: 'Last visit Oct 3, Brake Job. Next appointment
 * Nov 24. 1 no-show.'
 */
function lastHere({
  last_appointment,
  last_service_name,
  next_appointment,
  no_shows,
}: PhoneBookingCustomer): string {
  return [
    last_appointment
      ? `Last visit ${formatShortDate(last_appointment)}, ${last_service_name}.`
      : 'New customer.',
    next_appointment && `Next appointment ${formatShortDate(next_appointment)}.`,
    no_shows > 0 && formatNoShows(no_shows),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The number of no-shows with its noun: '1 no-show', '2 no-shows'. */
export const formatNoShows = (count: number) => `${count} ${count === 1 ? 'no-show' : 'no-shows'}`
