import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isBeingSent } from '#contracts/emails/email-delivery.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { listQuotes, quotePageSize, type QuoteListKind, type QuotePage } from './quotes-api.ts'

type Pages = Readonly<Record<QuoteListKind, QuotePage>>

export type QuoteList = {
  /** Undefined while it is read for the first time. */
  readonly page: QuotePage | undefined
  readonly isFetching: boolean
  readonly onShowMore: () => void
}

export type QuoteLists = Readonly<Record<QuoteListKind, QuoteList>> & {
  readonly isFailed: boolean
  readonly retry: () => void
}

/** While an e-mail is under way its state is asked for again this often. */
const watchMs = 10_000

const firstPages = {
  pending: quotePageSize,
  completed: quotePageSize,
}

/** The lists, read together: a request that changes sides is never seen on both, or on neither. */
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
