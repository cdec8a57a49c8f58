import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type EstimateListEntry, estimateStates } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { estimateLink } from '#web/dashboard/kit/navigation/links.ts'
import { useCreateEstimate } from '#web/dashboard/kit/records/use-create-estimate.ts'
import { useDebouncedText } from '#web/lib/forms/use-debounced-text.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { listEstimates } from './estimates-api.ts'
import { stateTones, stateLabel } from './estimate-text.ts'
import './estimate-list.css'

/** The number of estimates that the list shows until the user presses 'Show all'. */
const firstShown = 5

/** The list of the most recently changed estimates, which is above the list of invoices. */
export function EstimateList() {
  const [input, setInput] = useState('')
  const [state, setState] = useState('')
  const [isWhole, setIsWhole] = useState(false)
  const list = useEstimates(input.trim(), state)
  const isNarrowed = input.trim() !== '' || state !== ''
  const all = list.data ?? []
  const shown = isWhole || isNarrowed ? all : all.slice(0, firstShown)
  const titleId = useId()
  return (
    <section className="card estimate-list" aria-labelledby={titleId} aria-busy={list.isFetching}>
      <header>
        <h2 id={titleId}>Estimates</h2>
        <input
          className="input"
          type="search"
          aria-label="Search estimates"
          placeholder="Number, name, plate or model"
          maxLength={100}
          value={input}
          onChange={({ target }) => setInput(target.value)}
        />
        <select
          className="input"
          aria-label="State of estimates"
          value={state}
          onChange={({ target }) => setState(target.value)}
        >
          <option value="">All states</option>
          {estimateStates.map((each) => (
            <option key={each} value={each}>
              {stateLabel({ state: each, jobs: 0, approvedJobs: 0 })}
            </option>
          ))}
        </select>
        <NewEstimate />
      </header>
      {list.isError && (
        <LoadFailure
          title="The estimates could not be loaded."
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && all.length === 0 && (
        <EmptyState
          dashed
          title={isNarrowed ? 'No estimate matches the search or filter.' : 'No estimates yet.'}
        />
      )}
      <ul>
        {shown.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {all.length > shown.length && (
        <Button compact level="quiet" onClick={() => setIsWhole(true)}>
          Show all {all.length}
        </Button>
      )}
    </section>
  )
}

function useEstimates(term: string, state: string) {
  const debounced = useDebouncedText(term)
  return useQuery({
    queryKey: ['estimates', 'list', debounced, state],
    queryFn: () => listEstimates(debounced, state),
    placeholderData: keepPreviousData,
  })
}

function NewEstimate() {
  const creation = useCreateEstimate()
  return (
    <>
      <Button compact disabled={creation.isPending} onClick={() => creation.mutate({})}>
        <Icon name="plus" />
        New estimate
      </Button>
      <Button
        compact
        level="quiet"
        disabled={creation.isPending}
        onClick={() => creation.mutate({ kind: 'towing' })}
      >
        <Icon name="plus" />
        New towing estimate
      </Button>
    </>
  )
}

function Entry({ entry }: { entry: EstimateListEntry }) {
  const { id, number, kind, customerName, vehicle, state, changedAt } = entry
  return (
    <li>
      <Link {...estimateLink(id)}>{number}</Link>
      <span className="estimate-whose">
        <b>{customerName || 'No customer yet'}</b> {vehicle}
        {kind === 'towing' && ' (towing)'}
      </span>
      <Badge tone={stateTones[state]}>{stateLabel(entry)}</Badge>
      <span className="estimate-when">{formatShortStamp(changedAt)}</span>
      <b className="estimate-total">{amountText(entry)}</b>
    </li>
  )
}

/**
 * The amount that the list shows for an estimate: the invoiced amount of an invoiced estimate; '$300.00 of $412.37' if
 * the customer approved only a part; otherwise the total.
 */
function amountText({ state, totalCents, invoicedCents, authorizedCents }: EstimateListEntry) {
  if (invoicedCents !== null) return formatCents(invoicedCents)
  const isPartlyApproved = state === 'approved' && authorizedCents < totalCents
  const total = formatCents(totalCents)
  return isPartlyApproved ? `${formatCents(authorizedCents)} of ${total}` : total
}
