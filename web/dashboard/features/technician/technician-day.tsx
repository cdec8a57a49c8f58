import { useQuery } from '@tanstack/react-query'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { TechnicianBay, TechnicianBooking } from '#contracts/technician-day.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { OwnTasks } from './own-tasks.tsx'
import { readTechnicianDay, type TechnicianDayData } from './technician-api.ts'
import { TechnicianBookingItem } from './technician-booking.tsx'
import './technician.css'

const readAgainMs = 30_000
const keys = ['technician']

/** Today's appointments, grouped into the technician's own, unassigned and other ones, and the technician's tasks. */
export function TechnicianDay() {
  const today = useShopToday()
  useRefetchOnLiveEvent('bookings', keys)
  useRefetchOnLiveEvent('tasks', keys)
  useRefetchOnLiveEvent('settings', keys)
  const day = useQuery({
    queryKey: ['technician', 'day', today],
    queryFn: readTechnicianDay,
    refetchInterval: readAgainMs,
  })
  return (
    <>
      <h2>{formatLongDate(today)}</h2>
      {day.isError && (
        <LoadFailure
          title="The day could not be loaded."
          readAt={day.data && new Date(day.dataUpdatedAt)}
          onRetry={() => void day.refetch()}
        >
          The appointments are safe. Only loading them failed.
        </LoadFailure>
      )}
      {day.isPending && <Skeleton />}
      {day.data && <Day day={day.data} />}
    </>
  )
}

const groups = [
  { assignment: 'own', title: 'Your appointments' },
  { assignment: 'unassigned', title: 'Unassigned appointments' },
  { assignment: 'other', title: 'Other technicians' },
] as const

function Day({ day }: { day: TechnicianDayData }) {
  return (
    <>
      <p className="technician-hours">{hoursText(day.bays)}</p>
      <div className="technician-day">
        <OwnTasks tasks={day.tasks} />
        <div>
          {day.bookings.length === 0 && <EmptyState dashed title="No appointments today." />}
          {groups.map(({ assignment, title }) => (
            <Group
              key={assignment}
              title={title}
              bookings={day.bookings.filter((booking) => booking.assignment === assignment)}
              tasks={day.tasks}
            />
          ))}
        </div>
      </div>
    </>
  )
}

function Group(props: {
  title: string
  bookings: readonly TechnicianBooking[]
  tasks: TechnicianDayData['tasks']
}) {
  const { title, bookings, tasks } = props
  if (bookings.length === 0) return null
  return (
    <section className="technician-group" aria-label={title}>
      <h3>
        {title} ({bookings.length})
      </h3>
      <ol>
        {bookings.map((booking) => (
          <TechnicianBookingItem
            key={booking.id}
            booking={booking}
            tasks={tasks.filter((task) => task.booking_id === booking.id)}
          />
        ))}
      </ol>
    </section>
  )
}

/** The opening hours and the technician's bay: 'Open 8:30 AM – 9:00 PM. Your bay: Bay 2.' */
function hoursText(bays: readonly TechnicianBay[]): string {
  const spans = bays.flatMap(({ open }) => open)
  const from = spans.map(({ starts_at: at }) => at).toSorted()[0]
  const to = spans
    .map(({ ends_at: at }) => at)
    .toSorted()
    .at(-1)
  const own = bays.filter((bay) => bay.is_own).map(({ name }) => name)
  const hours =
    from && to
      ? `Open ${formatTime(from.slice(11, 16))} – ${formatTime(to.slice(11, 16))}.`
      : 'Closed today.'
  return own.length > 0 ? `${hours} Your bay: ${own.join(', ')}.` : hours
}
