import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isBeingSent } from '#contracts/emails/email-delivery.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listQuotes, quotePageSize, type QuoteListKind, type QuotePage } from './quotes-api.ts'

type Pages = Readonly<Record<QuoteListKind, QuotePage>>

export type QuoteList = {
  /** The quote requests loaded so far; undefined while the first page loads. */
  readonly page: QuotePage | undefined
  readonly isFetching: boolean
  readonly onShowMore: () => void
}

export type QuoteLists = Readonly<Record<QuoteListKind, QuoteList>> & {
  readonly isFailed: boolean
  readonly retry: () => void
}

/** The interval, in milliseconds, at which the lists are refetched while the server is sending an email. */
const watchMs = 10_000

const firstPages = {
  pending: quotePageSize,
  completed: quotePageSize,
}

/**
 * One query reads the pending and the completed quote requests, so that a quote request whose status changes always
 * appears in exactly one list.
 */
export function useQuoteLists(): QuoteLists {
  const [limits, setLimits] = useState(firstPages)
  const lists = useQuery({
    queryKey: ['quotes', 'lists', limits],
    queryFn: async (): Promise<Pages> => {
      const [pending, completed] = await Promise.all([
        listQuotes('pending', limits.pending),
        listQuotes('completed', limits.completed),
      ])
      return { pending, completed }
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (awaitsDelivery(state.data) ? watchMs : false),
  })
  const isFailed = lists.isError
  useEffect(() => {
    if (isFailed) {
      toast({
        title: 'Data Loading Error',
        description: 'Failed to load dashboard data.',
        variant: 'destructive',
      })
    }
  }, [isFailed])
  const list = (kind: QuoteListKind): QuoteList => ({
    page: lists.data?.[kind],
    isFetching: lists.isFetching,
    onShowMore: () => setLimits({ ...limits, [kind]: limits[kind] + quotePageSize }),
  })
  return {
    pending: list('pending'),
    completed: list('completed'),
    isFailed,
    retry: () => void lists.refetch(),
  }
}

function awaitsDelivery(pages: Pages | undefined): boolean {
  return Object.values(pages ?? {}).some(({ quotes }) =>
    quotes.some(({ emails }) => isBeingSent(emails)),
  )
}
