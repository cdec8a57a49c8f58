import { Link } from '@tanstack/react-router'
import type { DayBooking } from '#contracts/bookings/day.ts'
import type { TodayPage } from '#contracts/today.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { occupiesBay } from '#domain/bookings/occupies-bay.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { vehicleState } from '#domain/bookings/vehicle-state.ts'
import { isInWork } from '#domain/bookings/vehicle-state-table.ts'
import { formatShortDate } from '#domain/calendar/calendar-date.ts'
import { dayLink } from '#web/dashboard/kit/navigation/links.ts'
import { NotificationBadge } from '#web/ui/badge/notification-badge.tsx'
import { StateBadge } from '#web/dashboard/kit/bookings/state-badge.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'
import { groupTodaysBookings } from './group-todays-bookings.ts'
import { TodayCard } from './today-card.tsx'

/** Today's bookings in order of time. One line summarizes the finished bookings. */
export function TodaysBookingsCard({ day }: { day: TodayPage }) {
  const { over, before, after } = groupTodaysBookings(day)
  const bookings = [...before, ...after]
  const overLink = over && (
    <li>
      <Link className="today-over" {...dayLink(day.day)}>
        {over}
      </Link>
    </li>
  )
  return (
    <TodayCard
      title="Appointments today"
      count={day.bookings.filter(({ state }) => occupiesBay(state)).length}
      aside={
        <Link className={buttonClass('quiet', { compact: true })} {...dayLink(day.day)}>
          Day view
        </Link>
      }
    >
      {!over && bookings.length === 0 && <p className="today-empty">No appointments yet.</p>}
      {(over || bookings.length > 0) && (
        <ol className="today-bookings" aria-label="Appointments today">
          {overLink}
          <BookingList bookings={before} day={day} />
          {bookings.length > 0 && (
            <li className="today-now">
              <b>
                <span className="visually-hidden">Now, </span>
                {formatTime(day.now.slice(11))}
              </b>
            </li>
          )}
          <BookingList bookings={after} day={day} />
        </ol>
      )}
      {day.also_here.length > 0 && (
        <>
          <h4 className="today-also">Also at the shop</h4>
          <ol className="today-bookings" aria-label="Also at the shop">
            <BookingList bookings={day.also_here} day={day} areOfOtherDays />
          </ol>
        </>
      )}
    </TodayCard>
  )
}

function BookingList(props: {
  bookings: readonly DayBooking[]
  day: TodayPage
  areOfOtherDays?: boolean
}) {
  const { bookings, day, areOfOtherDays = false } = props
  return bookings.map((booking) => (
    <li key={booking.id}>
      <Link
        className={
          isInWork(vehicleState(booking.vehicle_facts))
            ? 'today-booking today-in-work'
            : 'today-booking'
        }
        {...dayLink(areOfOtherDays ? booking.starts_at.slice(0, 10) : day.day, booking.id)}
      >
        <BookingText booking={booking} day={day} isOfToday={!areOfOtherDays} />
      </Link>
    </li>
  ))
}

function BookingText(props: { booking: DayBooking; day: TodayPage; isOfToday: boolean }) {
  const { booking, day, isOfToday } = props
  const [date = '', time = ''] = booking.starts_at.split('T')
  const bay = day.bays.find(({ id }) => id === booking.bay_id)?.name
  return (
    <>
      <b className="today-time">
        {date === day.day
          ? formatTime(time)
          : isOfToday
            ? `From ${formatShortDate(date)}`
            : formatShortDate(date)}
      </b>{' '}
      <span className="today-who">
        <b>{booking.customer_name}</b> <span className="today-vehicle">{vehicleName(booking)}</span>{' '}
        <NotificationBadge booking={booking} />
      </span>{' '}
      <span className="today-service">{booking.service_name}</span>{' '}
      <span className={bay ? 'today-bay' : 'today-bay today-unplaced'}>{bay ?? 'No bay yet'}</span>{' '}
      <span className="today-state">
        <StateBadge booking={booking} />
      </span>
    </>
  )
}
