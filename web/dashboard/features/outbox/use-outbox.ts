import { useInfiniteQuery } from '@tanstack/react-query'
import { isBeingSent } from '#contracts/emails/email-delivery.ts'
import type { OutboxEmail } from '#contracts/emails/emails.ts'
import { listOutbox, type OutboxPage } from '#web/dashboard/kit/emails/emails.ts'

const pageSize = 50

/** The interval, in milliseconds, at which the list is refetched while the server is sending an email. */
const watchMs = 10_000

export type Outbox = {
  /** The emails loaded so far; undefined while the first page loads. */
  readonly emails: readonly OutboxEmail[] | undefined
  readonly mode: OutboxPage['mode'] | undefined
  readonly isFetching: boolean
  readonly isFailed: boolean
  readonly hasMore: boolean
  readonly onShowMore: () => void
  readonly retry: () => void
}

export function useOutbox(): Outbox {
  const pages = useInfiniteQuery({
    queryKey: ['outbox', 'list'],
    queryFn: ({ pageParam }) => listOutbox(pageSize, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) =>
      isBeingSent(state.data?.pages.flatMap(({ emails }) => emails) ?? []) ? watchMs : false,
  })
  return {
    emails: pages.data?.pages.flatMap(({ emails }) => emails),
    mode: pages.data?.pages[0]?.mode,
    isFetching: pages.isFetching,
    isFailed: pages.isError,
    hasMore: pages.hasNextPage,
    onShowMore: () => void pages.fetchNextPage(),
    retry: () => void pages.refetch(),
  }
}
