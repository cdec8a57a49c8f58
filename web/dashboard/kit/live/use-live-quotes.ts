import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** Today lists the unanswered quote requests. */
const keys = ['quotes', 'today']

/** Refetches quote requests as soon as one arrives, is answered or is deleted (docs/product.md 2.10). */
export function useLiveQuotes(): void {
  useRefetchOnLiveEvent('quotes', keys)
}
