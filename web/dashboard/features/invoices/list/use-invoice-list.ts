import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { InvoiceFilter } from '#domain/invoices/invoice-filters.ts'
import { type InvoiceList, listInvoices } from './list-api.ts'

/** The number of rows that the list shows first. Each press of 'Show more' adds the same number of rows. */
const rowsPerStep = 50
/** The maximum number of rows that the database returns. */
const mostRows = 500

/**
 * The number of the newest list, a part of its query key. Each press of a filter button begins a new list, which
 * contains only invoices that match the filter.
 */
let lastListNumber = 0
const newListNumber = () => (lastListNumber += 1)

/**
 * The invoices that match the filter in the URL. Live events trigger a refetch. An invoice that no longer matches the
 * filter keeps its row until the user presses a filter button.
 */
export function useInvoiceList() {
  const { filter = 'open' } = useSearch({ from: '/invoices' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [listNumber, setListNumber] = useState(newListNumber)
  const [maxRows, setMaxRows] = useState(rowsPerStep)
  const [isOldestFirst, setIsOldestFirst] = useState(false)
  // The database returns the newest invoices first, so the list can show the oldest ones first only when all invoices
  // are loaded.
  const wantedRows = isOldestFirst ? mostRows : maxRows
  const key = ['invoices', 'ledger', listNumber, filter]
  const list = useQuery({
    queryKey: [...key, wantedRows],
    queryFn: () => {
      const known = queries.getQueriesData<InvoiceList>({ queryKey: key })
      return listInvoices(filter, wantedRows, longest(known.map(([, data]) => data)))
    },
    placeholderData: keepPreviousData,
  })
  const invoices = list.data?.invoices ?? []
  return {
    list,
    filter,
    rows: isOldestFirst ? invoices.toReversed() : invoices,
    isOldestFirst,
    reverse: () => setIsOldestFirst(!isOldestFirst),
    showMore: () => setMaxRows(maxRows + rowsPerStep),
    choose: (next: InvoiceFilter) => {
      setListNumber(newListNumber())
      setMaxRows(rowsPerStep)
      void navigate({
        to: '/invoices',
        search: (now) => ({ ...now, filter: next === 'open' ? undefined : next }),
        replace: true,
        resetScroll: false,
      })
    },
  }
}

const longest = (lists: readonly (InvoiceList | undefined)[]) =>
  lists
    .map((list) => list?.invoices ?? [])
    .reduce((most, next) => (next.length > most.length ? next : most), [])
