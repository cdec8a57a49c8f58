import type { QuoteRequest } from '#contracts/quote-requests.ts'
import type { Resending } from '#web/lib/use-resend-email.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { QuoteHandlers } from './quote-buttons.tsx'
import { QuoteRecord } from './quote-record.tsx'
import type { QuoteListKind } from './quotes-api.ts'
import type { QuoteList } from './use-quote-lists.ts'

type Props = QuoteList & {
  kind: QuoteListKind
  title: string
  empty: string
  handlers: QuoteHandlers
  resending: Resending
  /** The request that a link names, and itself when the pages do not hold it. */
  linkedId: string | null
  linkedQuote: QuoteRequest | undefined
}

/** One of the lists, a page at a time. */
export function QuoteSection(props: Props) {
  const { title, empty, page, isFetching, onShowMore, handlers, resending } = props
  const { kind, linkedId, linkedQuote } = props
  const listed = page?.quotes ?? []
  const quotes = linkedQuote?.status === kind ? [linkedQuote, ...listed] : listed
  return (
    <section className="quote-list" aria-busy={isFetching}>
      <h2 className="list-heading">
        {title} <span className="count">({page?.total ?? '…'})</span>
      </h2>
      {!page && <Skeleton className="quote-skeleton" />}
      {page?.total === 0 && <EmptyState dashed title={empty} />}
      <div className="record-list">
        {quotes.map((quote) => (
          <QuoteRecord
            key={quote.id}
            quote={quote}
            isLinked={quote.id === linkedId}
            handlers={handlers}
            resending={resending}
          />
        ))}
      </div>
      {page && (
        <ShowMore
          shown={page.quotes.length}
          total={page.total}
          isFetching={isFetching}
          onShowMore={onShowMore}
        />
      )}
    </section>
  )
}
