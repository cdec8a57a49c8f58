import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvents } from '#contracts/api/live-events.ts'
import { subscribeLiveEvents, areLiveEventsOpen } from './live-events.ts'
import { serializeCalls } from '#web/lib/data/serialize-calls.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'

/**
 * Refetches the displayed data under the query keys `keys` at each live event of the kind `about`, and after each
 * interruption of the stream. Every render must pass the same array.
 */
export function useRefetchOnLiveEvent(
  about: Exclude<keyof LiveEvents, 'refetch'>,
  keys: readonly string[],
): void {
  const queries = useQueryClient()
  useEffect(() => {
    let hasBegun = areLiveEventsOpen()
    const readAll = serializeCalls(async () => {
      await Promise.all(keys.map((key) => refetchQueries(queries, key)))
    })
    return subscribeLiveEvents(({ name }) => {
      if (name === about || (name === 'refetch' && hasBegun)) return void readAll()
      if (name !== 'refetch') return
      // The stream may open while the page is still loading its data. `cancelRefetch: false` lets these queries
      // continue instead of starting again.
      hasBegun = true
      for (const key of keys) {
        void queries.invalidateQueries({ queryKey: [key] }, { cancelRefetch: false })
      }
    })
  }, [queries, about, keys])
}
