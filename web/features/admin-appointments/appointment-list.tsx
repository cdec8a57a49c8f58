import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Booking } from '#contracts/bookings.ts'
import { formatLongDate } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { mailto } from '#web/lib/mailto.ts'
import { Badge } from '#web/ui/badge.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BookingButtons, type BookingHandlers } from './booking-buttons.tsx'
import { BookingMarks } from './booking-marks.tsx'
import { isCompleted, statusBadge, vehicleLine } from './booking-words.ts'
import { bookingCount, type BookingPage, LIST_PAGE_SIZE, listBookings } from './bookings-api.ts'
import { ConfirmationState } from './confirmation-state.tsx'
import { LoadFailure } from './load-failure.tsx'

type ListProps = { search: string; handlers: BookingHandlers }

/**
 * Upcoming and completed appointments, a page at a time, narrowed by the search. Both are read together:
 * an appointment that changes sides is never seen on both.
 */
export function AppointmentList({ search, handlers }: ListProps) {
  const [limits, setLimits] = useState({ open: LIST_PAGE_SIZE, completed: LIST_PAGE_SIZE })
  const queries = useQueryClient()
  const lists = useQuery({
    queryKey: ['bookings', 'lists', search, limits],
    queryFn: async () => {
      // Years of completed ones take a while to count: all are counted once, and the open ones, few, taken off.
      const isSearch = search !== ''
      const [open, completed, all] = await Promise.all([
        listBookings('open', search, limits.open),
        listBookings('completed', search, limits.completed, isSearch),
        isSearch ? undefined : queries.fetchQuery(bookingCount),
      ])
      if (all === undefined) return { open, completed }
      const total = Math.max(all - open.total, completed.bookings.length)
      return { open, completed: { ...completed, total } }
    },
    placeholderData: keepPreviousData,
  })
  if (lists.isError) return <LoadFailure onRetry={() => void lists.refetch()} />
  const section = (state: 'open' | 'completed') => ({
    page: lists.data?.[state],
    isFetching: lists.isFetching,
    onShowMore: () => setLimits({ ...limits, [state]: limits[state] + LIST_PAGE_SIZE }),
    search,
    handlers,
  })
  return (
    <>
      <Section
        {...section('open')}
        title="Upcoming Appointments"
        empty="No upcoming appointments scheduled"
      />
      <Section
        {...section('completed')}
        title="Completed Appointments"
        empty="No completed appointments"
      />
    </>
  )
}

type SectionProps = ListProps & {
  title: string
  empty: string
  /** Undefined while it is read for the first time. */
  page: BookingPage | undefined
  isFetching: boolean
  onShowMore: () => void
}

function Section({ title, empty, page, isFetching, onShowMore, search, handlers }: SectionProps) {
  return (
    <section className="booking-list" aria-busy={isFetching}>
      <h3 className="sec-t">
        {title} <span className="n">({page?.total ?? '…'})</span>
      </h3>
      {!page && <Skeleton className="list-skeleton" />}
      {page?.total === 0 && (
        <EmptyState dashed title={search ? `${empty} for “${search}”` : empty} />
      )}
      <div className="stack">
        {page?.bookings.map((booking) => (
          <AppointmentRecord key={booking.id} booking={booking} handlers={handlers} />
        ))}
      </div>
      {page && (
        <ShowMore
          shown={page.bookings.length}
          total={page.total}
          isFetching={isFetching}
          onShowMore={onShowMore}
        />
      )}
    </section>
  )
}

function AppointmentRecord({ booking, handlers }: { booking: Booking; handlers: BookingHandlers }) {
  const badge = isCompleted(booking)
    ? ({ tone: 'ok', label: 'COMPLETED' } as const)
    : statusBadge(booking.status)
  return (
    <article className="card rec">
      <div>
        <h3>
          {booking.customer_name}{' '}
          <Badge tone={badge.tone} caps={badge.label === 'COMPLETED'}>
            {badge.label}
          </Badge>
        </h3>
        <p>
          <a href={mailto(booking.customer_email)}>{booking.customer_email}</a>
        </p>
        <p>
          <a href={`tel:${booking.customer_phone.replace(/[^\d+]/g, '')}`}>
            {booking.customer_phone}
          </a>
        </p>
      </div>
      <div>
        <p>
          <b>{formatLongDate(booking.appointment_date)}</b>
        </p>
        <p className="k">{formatTime(booking.appointment_time)}</p>
        <BookingMarks booking={booking} />
        <ConfirmationState booking={booking} />
      </div>
      <div>
        <p>
          <b>{booking.service?.name}</b>{' '}
          <span className="k">{booking.duration_minutes} minutes</span>
        </p>
        <p>{vehicleLine(booking)}</p>
        {booking.notes && <p className="k notes">{booking.notes}</p>}
      </div>
      <div className="act-col">
        <BookingButtons booking={booking} undoLabel="Undo Complete" {...handlers} />
      </div>
    </article>
  )
}
