import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { ShowMore } from '#web/dashboard/kit/controls/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { AppointmentRecord } from './card/appointment-record.tsx'
import type { BookingHandlers } from './card/booking-buttons.tsx'
import {
  bookingCount,
  type BookingPage,
  listPageSize,
  listBookings,
  type ListState,
} from './bookings-api.ts'
import { AppointmentsLoadFailure } from './appointments-load-failure.tsx'
import { SelectionBar } from './cancel/selection-bar.tsx'
import type { Selection } from './cancel/use-selection.ts'

type ListProps = {
  search: string
  handlers: BookingHandlers
}

const firstPages: Readonly<Record<ListState, number>> = {
  open: listPageSize,
  completed: listPageSize,
  gone: listPageSize,
}

/**
 * Lists upcoming, completed and inactive (cancelled or unconfirmed) bookings, page by page, filtered by the search
 * text. One query reads all three lists, so a booking whose state changes never appears in two lists.
 */
export function AppointmentList({
  search,
  handlers,
  selection,
  onCancel,
}: ListProps & { selection: Selection; onCancel: () => void }) {
  const [limits, setLimits] = useState(firstPages)
  const queries = useQueryClient()
  const lists = useQuery({
    queryKey: ['bookings', 'lists', search, limits],
    queryFn: async () => {
      // Counting all completed bookings in the database is slow. The list therefore computes the number: all bookings,
      // counted by a cached query, minus the few open bookings.
      const isSearch = search !== ''
      const [open, completed, gone, all] = await Promise.all([
        listBookings('open', search, limits.open),
        listBookings('completed', search, limits.completed, isSearch),
        listBookings('gone', search, limits.gone),
        isSearch ? undefined : queries.fetchQuery(bookingCount),
      ])
      if (all === undefined) return { open, completed, gone }
      const total = Math.max(all - open.total, completed.bookings.length)
      return { open, completed: { ...completed, total }, gone }
    },
    placeholderData: keepPreviousData,
  })
  if (lists.isError) return <AppointmentsLoadFailure onRetry={() => void lists.refetch()} />
  const section = (state: ListState) => ({
    page: lists.data?.[state],
    isFetching: lists.isFetching,
    onShowMore: () => setLimits({ ...limits, [state]: limits[state] + listPageSize }),
    search,
    handlers,
  })
  const open = lists.data?.open
  return (
    <>
      <Section
        {...section('open')}
        title="Upcoming Appointments"
        empty="No upcoming appointments scheduled"
        selection={selection}
      >
        {open && open.total > 0 && (
          <SelectionBar shown={open.bookings} selection={selection} onCancel={onCancel} />
        )}
      </Section>
      <Section
        {...section('completed')}
        title="Completed Appointments"
        empty="No completed appointments"
      />
      <InactiveSection {...section('gone')} />
    </>
  )
}

type PageProps = ListProps & {
  /** The loaded bookings of this list, and the number of all its bookings; undefined while the first page loads. */
  page: BookingPage | undefined
  isFetching: boolean
  onShowMore: () => void
  selection?: Selection
}

type SectionProps = PageProps & { title: string; empty: string; children?: ReactNode }

function Section({ title, empty, children, ...list }: SectionProps) {
  const { page, isFetching, search } = list
  return (
    <section className="booking-list" aria-busy={isFetching}>
      <h3 className="list-heading">
        {title} <span className="count">({page?.total ?? '…'})</span>
      </h3>
      {!page && <Skeleton className="list-skeleton" />}
      {page?.total === 0 && (
        <EmptyState dashed title={search ? `${empty} for “${search}”` : empty} />
      )}
      {children}
      <Records {...list} />
    </section>
  )
}

/**
 * Lists cancelled and unconfirmed bookings, which need no work. The section is collapsed at first; staff open it when
 * the customer of such a booking calls.
 */
function InactiveSection(list: PageProps) {
  const { page, isFetching } = list
  if (!page || page.total === 0) return null
  return (
    <details className="booking-list inactive-bookings" aria-busy={isFetching}>
      <summary className="list-heading">
        Cancelled or not confirmed <span className="count">({page.total})</span>
      </summary>
      <Records {...list} />
    </details>
  )
}

function Records({ page, isFetching, onShowMore, handlers, selection }: PageProps) {
  if (!page) return null
  return (
    <>
      <div className="record-list">
        {page.bookings.map((booking) => (
          <AppointmentRecord
            key={booking.id}
            booking={booking}
            handlers={handlers}
            selection={selection}
          />
        ))}
      </div>
      <ShowMore
        shown={page.bookings.length}
        total={page.total}
        isFetching={isFetching}
        onShowMore={onShowMore}
      />
    </>
  )
}
