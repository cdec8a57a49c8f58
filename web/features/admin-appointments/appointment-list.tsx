import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Booking } from '#contracts/bookings.ts'
import { formatLongDate } from '#domain/calendar-date.ts'
import { formatTime } from '#domain/clock-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BookingButtons, type BookingHandlers } from './booking-buttons.tsx'
import { BookingMarks } from './booking-marks.tsx'
import { isCompleted, statusBadge, vehicleLine } from './booking-words.ts'
import { LIST_PAGE_SIZE, listBookings } from './bookings-api.ts'
import { LoadFailure } from './load-failure.tsx'

type ListProps = { search: string; handlers: BookingHandlers }

/** Upcoming and completed appointments, a page at a time, narrowed by the search. */
export function AppointmentList({ search, handlers }: ListProps) {
  return (
    <>
      <Section
        title="Upcoming Appointments"
        state="open"
        empty="No upcoming appointments scheduled"
        search={search}
        handlers={handlers}
      />
      <Section
        title="Completed Appointments"
        state="completed"
        empty="No completed appointments"
        search={search}
        handlers={handlers}
      />
    </>
  )
}

function Section(props: ListProps & { title: string; state: 'open' | 'completed'; empty: string }) {
  const { title, state, empty, search, handlers } = props
  const [limit, setLimit] = useState(LIST_PAGE_SIZE)
  const page = useQuery({
    queryKey: ['bookings', 'list', state, search, limit],
    queryFn: () => listBookings(state, search, limit),
    placeholderData: keepPreviousData,
  })
  if (page.isError) return <LoadFailure onRetry={() => void page.refetch()} />
  const { bookings = [], total = 0 } = page.data ?? {}
  return (
    <section className="booking-list" aria-busy={page.isFetching}>
      <h3 className="sec-t">
        {title} <span className="n">({page.data ? total : '…'})</span>
      </h3>
      {page.isPending && <Skeleton className="rec" />}
      {page.data && total === 0 && (
        <EmptyState dashed title={search ? `${empty} for “${search}”` : empty} />
      )}
      <div className="stack">
        {bookings.map((booking) => (
          <AppointmentRecord key={booking.id} booking={booking} handlers={handlers} />
        ))}
      </div>
      {total > bookings.length && (
        <p className="more-row">
          <span className="n">
            {bookings.length} of {total}
          </span>
          <button
            type="button"
            className="ab"
            disabled={page.isFetching}
            onClick={() => setLimit(limit + LIST_PAGE_SIZE)}
          >
            Show more
          </button>
        </p>
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
          <a href={`mailto:${booking.customer_email}`}>{booking.customer_email}</a>
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
