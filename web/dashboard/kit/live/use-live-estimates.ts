import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** Approved jobs become tasks, and a quote request shows its estimate. */
const keys = ['estimates', 'tasks', 'quotes']

/** Refetches estimates as soon as one is changed, sent, viewed or answered (docs/product.md 15.15). */
export function useLiveEstimates(): void {
  useRefetchOnLiveEvent('estimates', keys)
}
