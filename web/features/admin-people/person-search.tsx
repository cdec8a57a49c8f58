import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import type { SearchResults } from '#contracts/people.ts'
import { minSearchLength, useDebouncedText } from '#web/lib/use-typing-pause.ts'
import { Input } from '#web/ui/field.tsx'
import { searchCustomers } from './people-api.ts'
import { formatCount, formatMediumDate } from './people-words.ts'

/** Somebody who was found. */
export type FoundCustomer = SearchResults['people'][number]

type Props = {
  label: string
  /** Who is not meant. */
  exceptId: string
  onChoose: (person: FoundCustomer) => void
}

/** Finds somebody who is known, while it is typed; Enter takes the marked line. What is typed is kept nowhere. */
export function CustomerSearch({ label, exceptId, onChoose }: Props) {
  const listId = useId()
  const [input, setInput] = useState('')
  const [active, setActive] = useState(0)
  const found = usePeople(input, exceptId)
  const hitId = (index: number) => `${listId}-${index}`
  const followKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') {
      event.preventDefault()
      const person = found.people[active]
      return person && onChoose(person)
    }
    if (!step || found.people.length === 0) return
    event.preventDefault()
    setActive((active + step + found.people.length) % found.people.length)
  }
  return (
    <div className="person-search">
      <Input
        label={label}
        placeholder="Name, phone or email"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded={found.people.length > 0}
        aria-controls={listId}
        aria-activedescendant={found.people.length > 0 ? hitId(active) : undefined}
        aria-autocomplete="list"
        data-first-focus
        value={input}
        onKeyDown={followKey}
        onChange={({ target }) => {
          setInput(target.value)
          setActive(0)
        }}
      />
      <div className="person-hits" role="listbox" id={listId} aria-label="Customers">
        {found.people.map((person, index) => (
          <button
            key={person.id}
            id={hitId(index)}
            type="button"
            role="option"
            // The keyboard stays in the field.
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => onChoose(person)}
          >
            <b>{person.name}</b> <small>{detailOf(person)}</small>
          </button>
        ))}
      </div>
      <p className="muted" role="status">
        {found.text}
      </p>
    </div>
  )
}

/** '(650) 555-0167, maria@example.com, 2 vehicles, last visit Oct 3, 2026' */
function detailOf({ phone, email, cars, lastVisit }: FoundCustomer): string {
  const here = lastVisit && `last visit ${formatMediumDate(lastVisit)}`
  return [phone, email, cars > 0 && formatCount(cars, 'vehicle'), here].filter(Boolean).join(', ')
}

/** Who is found of what is typed, asked for once the typing pauses; nobody until they are those of the last letter. */
function usePeople(input: string, exceptId: string) {
  const search = input.trim()
  const debounced = useDebouncedText(input)
  const isLongEnough = debounced.length >= minSearchLength
  const found = useQuery({
    queryKey: ['people-search', debounced],
    queryFn: () => searchCustomers(debounced),
    enabled: isLongEnough,
    // Nothing that was searched for is kept.
    gcTime: 0,
  })
  const isCurrent = isLongEnough && debounced === search
  const people = (isCurrent && found.data?.filter(({ id }) => id !== exceptId)) || []
  const isSearching = search.length >= minSearchLength && (!isCurrent || found.isPending)
  const hasNoResults = isCurrent && found.isSuccess && people.length === 0
  return {
    people,
    text:
      (isSearching && 'Searching…') ||
      (isCurrent && found.isError && 'The search failed. Type the name again.') ||
      (hasNoResults && `No customers found for “${search}”.`) ||
      '',
  }
}
