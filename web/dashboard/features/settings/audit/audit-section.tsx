import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { AuditLine } from '#contracts/audit.ts'
import {
  type AuditGroup,
  auditGroups,
  type AuditPeriod,
  auditPeriods,
} from '#domain/audit/audit-filters.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Button } from '#web/ui/button/button.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Select } from '#web/ui/field/field.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { AuditItem } from './audit-item.tsx'
import { pageSize, readAudit } from './audit-api.ts'
import './audit.css'

const groupNames: Readonly<Record<AuditGroup, string>> = {
  'sign-ins': 'Sign-ins',
  refused: 'Refused',
  team: 'Team and roles',
  passkeys: 'Passkeys and passwords',
  money: 'Refunds and voids',
  exports: 'Exports and erasures',
}

const periodNames: Readonly<Record<AuditPeriod, string>> = {
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  all: 'Everything kept',
}

/** The audit of the shop for its owners: nobody can change or delete a line. */
export function AuditSection() {
  const { what, period = '7' } = useSearch({ from: '/settings/{-$section}' })
  const days = period === 'all' ? undefined : Number(period)
  const lines = useInfiniteQuery({
    queryKey: ['audit', what ?? '', period],
    queryFn: ({ pageParam }) => readAudit({ what, days }, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < pageSize ? undefined : last.at(-1)?.id),
  })
  return (
    <SectionBody>
      <p>Nobody can change or delete a line, the owner included. Kept for 3 years.</p>
      <Filters what={what} period={period} />
      {lines.isError && !lines.data ? (
        <LoadFailure title="The audit could not be loaded." onRetry={() => void lines.refetch()} />
      ) : (
        <Lines lines={lines.data?.pages.flat()} />
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

function Filters({ what, period }: { what: AuditGroup | undefined; period: AuditPeriod }) {
  const navigate = useNavigate({ from: '/settings/{-$section}' })
  return (
    <div className="audit-filters">
      <Select
        id="audit-what"
        label="What"
        value={what ?? ''}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({
              ...before,
              what: auditGroups.find((group) => group === target.value),
            }),
          })
        }
      >
        <option value="">Everything</option>
        {auditGroups.map((group) => (
          <option key={group} value={group}>
            {groupNames[group]}
          </option>
        ))}
      </Select>
      <Select
        id="audit-when"
        label="When"
        value={period}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({
              ...before,
              period: auditPeriods.find((each) => each === target.value),
            }),
          })
        }
      >
        {auditPeriods.map((each) => (
          <option key={each} value={each}>
            {periodNames[each]}
          </option>
        ))}
      </Select>
    </div>
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
