import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import type { SearchResults } from '#contracts/customers.ts'
import { minSearchLength, useDebouncedText } from '#web/lib/forms/use-debounced-text.ts'
import { Input } from '#web/ui/field/field.tsx'
import { searchCustomers } from './customers-api.ts'
import { formatCount } from './customer-text.ts'

/** A customer in the search results. */
export type FoundCustomer = SearchResults['customers'][number]

type Props = {
  label: string
  /** The id of a customer whom the search results must not contain. */
  exceptId: string
  onChoose: (customer: FoundCustomer) => void
}

/**
 * Searches existing customers while the user types. Enter chooses the highlighted result. The dashboard never stores
 * the search text.
 */
export function CustomerSearch({ label, exceptId, onChoose }: Props) {
  const listId = useId()
  const [input, setInput] = useState('')
  const [active, setActive] = useState(0)
  const found = useCustomerSearch(input, exceptId)
  const hitId = (index: number) => `${listId}-${index}`
  const followKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') {
      event.preventDefault()
      const customer = found.customers[active]
      return customer && onChoose(customer)
    }
    if (!step || found.customers.length === 0) return
    event.preventDefault()
    setActive((active + step + found.customers.length) % found.customers.length)
  }
  return (
    <div className="customer-search">
      <Input
        label={label}
        placeholder="Name, phone or email"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded={found.customers.length > 0}
        aria-controls={listId}
        aria-activedescendant={found.customers.length > 0 ? hitId(active) : undefined}
        aria-autocomplete="list"
        data-first-focus
        value={input}
        onKeyDown={followKey}
        onChange={({ target }) => {
          setInput(target.value)
          setActive(0)
        }}
      />
      <div className="customer-hits" role="listbox" id={listId} aria-label="Customers">
        {found.customers.map((customer, index) => (
          <button
            key={customer.id}
            id={hitId(index)}
            type="button"
            role="option"
            // The focus stays in the search field while the arrow keys highlight a result.
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => onChoose(customer)}
          >
            <b>{customer.name}</b> <small>{detailOf(customer)}</small>
          </button>
        ))}
      </div>
      <p className="muted" role="status">
        {found.text}
      </p>
    </div>
  )
}

/**
 * The contact details, number of vehicles and last visit of a customer: '(650) 555-0167, maria@example.com, 2 vehicles,
 * last visit Oct 3, 2026'.
 */
function detailOf({ phone, email, vehicles, lastBookingDate }: FoundCustomer): string {
  const here = lastBookingDate && `last visit ${formatMediumDate(lastBookingDate)}`
  return [phone, email, vehicles > 0 && formatCount(vehicles, 'vehicle'), here]
    .filter(Boolean)
    .join(', ')
}

/**
 * Reads the customers that match the search text. The request starts when the user pauses typing. Returns no customers
 * until the results for the current search text have arrived.
 */
function useCustomerSearch(input: string, exceptId: string) {
  const search = input.trim()
  const debounced = useDebouncedText(input)
  const isLongEnough = debounced.length >= minSearchLength
  const found = useQuery({
    queryKey: ['customer-search', debounced],
    queryFn: () => searchCustomers(debounced),
    enabled: isLongEnough,
    // The cache drops the results as soon as no component shows them, because they contain personal data.
    gcTime: 0,
  })
  const isCurrent = isLongEnough && debounced === search
  const customers = (isCurrent && found.data?.filter(({ id }) => id !== exceptId)) || []
  const isSearching = search.length >= minSearchLength && (!isCurrent || found.isPending)
  const hasNoResults = isCurrent && found.isSuccess && customers.length === 0
  return {
    customers,
    text:
      (isSearching && 'Searching…') ||
      (isCurrent && found.isError && 'The search failed. Type the name again.') ||
      (hasNoResults && `No customers found for “${search}”.`) ||
      '',
  }
}
