import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { useRecord } from '#web/dashboard/kit/records/use-record.ts'
import { findQuote, type QuotePage } from './quotes-api.ts'

type LinkedQuote = {
  /** The request that a link names, if no loaded page contains it. */
  readonly quote: QuoteRequest | undefined
  readonly isNotFound: boolean
}

export function useLinkedQuote(
  id: string | null,
  pages: readonly (QuotePage | undefined)[],
): LinkedQuote {
  const areRead = pages.every((page) => page !== undefined)
  const isListed = pages.some((page) => page?.quotes.some((quote) => quote.id === id))
  const { data } = useRecord('quotes', id, findQuote, { isWanted: areRead && !isListed })
  if (id === null || isListed) return { quote: undefined, isNotFound: false }
  return { quote: data ?? undefined, isNotFound: data === null }
}
