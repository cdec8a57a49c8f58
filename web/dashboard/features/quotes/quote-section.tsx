import type { ReactNode } from 'react'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import type { ResendEmail } from '#web/dashboard/kit/emails/use-resend-email.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { ShowMore } from '#web/dashboard/kit/controls/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import type { QuoteHandlers } from './quote-buttons.tsx'
import { QuoteRecord } from './quote-record.tsx'
import type { QuoteListKind } from './quotes-api.ts'
import type { QuoteList } from './use-quote-lists.ts'

type Props = QuoteList & {
  kind: QuoteListKind
  title: string
  empty: string
  handlers: QuoteHandlers
  resending: ResendEmail
  /**
   * The id of the quote request in the URL. `linkedQuote` is the quote request with this id, if no loaded page contains
   * it.
   */
  linkedId: string | null
  linkedQuote: QuoteRequest | undefined
}

/** The list of pending or of completed quote requests, page by page. */
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
        {groupAutomated(quotes).flatMap((run) => {
          const records = run.map((quote) => (
            <QuoteRecord
              key={quote.id}
              quote={quote}
              isLinked={quote.id === linkedId}
              handlers={handlers}
              resending={resending}
            />
          ))
          // The newest quote request comes first in its group. The group's React key is the id of the oldest one, so
          // that the group stays open or collapsed when a newer quote request arrives.
          return looksAutomated(run[0]) ? (
            <AutomatedQuotes key={run.at(-1)?.id} run={run} linkedId={linkedId}>
              {records}
            </AutomatedQuotes>
          ) : (
            records
          )
        })}
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

const looksAutomated = (quote: QuoteRequest | undefined) => (quote?.flagged_reasons.length ?? 0) > 0

/** Groups consecutive quote requests that look automated. The order of the quote requests does not change. */
function groupAutomated(quotes: readonly QuoteRequest[]): QuoteRequest[][] {
  const runs: QuoteRequest[][] = []
  for (const quote of quotes) {
    const last = runs.at(-1)
    if (last && looksAutomated(quote) && looksAutomated(last[0])) last.push(quote)
    else runs.push([quote])
  }
  return runs
}

/**
 * A row for consecutive quote requests that look automated. The row is collapsed at first, except if the URL contains
 * the id of one of these quote requests.
 */
function AutomatedQuotes(props: {
  run: readonly QuoteRequest[]
  linkedId: string | null
  children: ReactNode
}) {
  const { run, linkedId, children } = props
  const [first] = run
  return (
    <details className="quotes-automated" open={run.some(({ id }) => id === linkedId)}>
      <summary>
        {run.length === 1
          ? `The request of ${first?.name} looks automated`
          : `${run.length} requests look automated`}
      </summary>
      <div className="record-list">{children}</div>
    </details>
  )
}
