import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listOpened } from '#web/lib/opened-records.ts'
import { shortestSearch, useTypingPause } from '#web/lib/use-typing-pause.ts'
import type { GroupTitle } from './hits.ts'
import { findOpened, searchEverything } from './search-api.ts'

/** What is found of what is typed, asked for once the typing pauses, of one kind or all; before, what was opened last. */
export function useSearch(typed: string, only: GroupTitle | undefined) {
  const search = typed.trim()
  const asked = useTypingPause(typed)
  const isAsking = search.length >= shortestSearch
  const found = useQuery({
    queryKey: ['search', asked, only],
    queryFn: () => searchEverything(asked, only),
    enabled: isAsking && asked.length >= shortestSearch,
    placeholderData: keepPreviousData,
    // Nothing that was searched for is kept.
    gcTime: 0,
  })
  const [records] = useState(listOpened)
  const opened = useQuery({
    queryKey: ['opened', records],
    queryFn: () => findOpened(records),
    enabled: records.length > 0,
  })
  if (!isAsking) {
    return {
      state: opened.isError ? 'failed' : opened.isLoading ? 'searching' : 'opened',
      groups: opened.data ?? [],
      retry: () => void opened.refetch(),
    } as const
  }
  const isCurrent = asked === search && !found.isPlaceholderData && !found.isPending
  return {
    state: isCurrent && found.isError ? 'failed' : isCurrent ? 'found' : 'searching',
    groups: found.data ?? [],
    retry: () => void found.refetch(),
  } as const
}
