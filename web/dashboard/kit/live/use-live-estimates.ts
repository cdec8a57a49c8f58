import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** Approved jobs become tasks, and a quote request names its estimate. */
const keys = ['estimates', 'tasks', 'quotes']

/** Reads estimates again as soon as somebody changed, sent, saw or answered one (docs/product.md 15.15). */
export function useLiveEstimates(): void {
  useRefetchOnLiveEvent('estimates', keys)
}
