import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** Today lists the quote requests that wait for an answer. */
const keys = ['quotes', 'today']

/** Reads quote requests again as soon as one came, was answered or was deleted (docs/product.md 2.10). */
export function useLiveQuotes(): void {
  useRefetchOnLiveEvent('quotes', keys)
}
