import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { AuditLine } from '#contracts/audit.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Button } from '#web/ui/button/button.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { AuditFile } from './audit-file.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditItem } from './audit-item.tsx'
import { pageSize, readAudit } from './audit-api.ts'
import { NewLines } from './new-lines.tsx'
import './audit.css'

/**
 * The settings section with the audit log, which only owners can open. Nobody can change or delete a line
 * of the log.
 */
export function AuditSection() {
  const { what, who, period = '7' } = useSearch({ from: '/settings/{-$section}' })
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim()) || undefined
  const days = period === 'all' ? undefined : Number(period)
  const filter = { what, who, search, days }
  const lines = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => readAudit(filter, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < pageSize ? undefined : last.at(-1)?.id),
  })
  const shown = lines.data?.pages.flat()
  return (
    <SectionBody wide>
      <div className="audit-head">
        <p>
          Nobody can change or delete a line of the audit log, not even the owner. Lines are kept
          for 3 years.
        </p>
        <AuditFile filter={{ what, who, days }} />
      </div>
      <AuditFilters what={what} who={who} period={period} search={typed} onSearch={setTyped} />
      {shown && (
        <NewLines
          filter={filter}
          newestId={shown[0]?.id ?? 0}
          onShow={() => void lines.refetch()}
        />
      )}
      {lines.isError && !lines.data ? (
        <LoadFailure title="The audit could not be loaded." onRetry={() => void lines.refetch()} />
      ) : (
        <Lines lines={shown} />
      )}
      {lines.hasNextPage && (
        <Button
          compact
          busy={lines.isFetchingNextPage && 'Loading…'}
          onClick={() => void lines.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </SectionBody>
  )
}

function Lines({ lines }: { lines: readonly AuditLine[] | undefined }) {
  const today = useShopToday()
  if (!lines) return <Skeleton className="audit-skeleton" />
  if (lines.length === 0) {
    return <EmptyState dashed title="Nothing was recorded in this time. Choose a longer one." />
  }
  const days = Map.groupBy(lines, ({ happened_at }) => shopToday(new Date(happened_at)))
  return (
    <section className="card audit" aria-label="Lines of the audit">
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={formatDayOfYear(day)}>
          <h3>
            {day === today && 'Today, '}
            {formatDayOfYear(day)}
          </h3>
          <ul>
            {ofDay.map((line) => (
              <AuditItem key={line.id} line={line} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
