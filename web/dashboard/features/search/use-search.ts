import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listRecentRecords } from '#web/dashboard/kit/records/recent-records.ts'
import { minSearchLength, useDebouncedText } from '#web/lib/forms/use-debounced-text.ts'
import type { GroupTitle } from './hits.ts'
import { findRecentRecords, searchEverything } from './search-api.ts'

/**
 * The search results for the typed text, of one kind or of all kinds. The request starts once typing pauses. For a text
 * that is too short to search, returns the records that the user opened last.
 */
export function useSearch(input: string, only: GroupTitle | undefined) {
  const search = input.trim()
  const debounced = useDebouncedText(input)
  const isLongEnough = search.length >= minSearchLength
  const found = useQuery({
    queryKey: ['search', debounced, only],
    queryFn: () => searchEverything(debounced, only),
    enabled: isLongEnough && debounced.length >= minSearchLength,
    placeholderData: keepPreviousData,
    // The cache does not keep search results, because they contain customers' data.
    gcTime: 0,
  })
  const [records] = useState(listRecentRecords)
  const opened = useQuery({
    queryKey: ['recent-records', records],
    queryFn: () => findRecentRecords(records),
    enabled: records.length > 0,
  })
  if (!isLongEnough) {
    return {
      state: opened.isError ? 'failed' : opened.isLoading ? 'searching' : 'opened',
      groups: opened.data ?? [],
      retry: () => void opened.refetch(),
    } as const
  }
  const isCurrent = debounced === search && !found.isPlaceholderData && !found.isPending
  return {
    state: isCurrent && found.isError ? 'failed' : isCurrent ? 'found' : 'searching',
    groups: found.data ?? [],
    retry: () => void found.refetch(),
  } as const
}
