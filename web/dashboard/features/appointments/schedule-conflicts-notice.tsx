import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { ScheduleConflict } from '#contracts/bookings/schedule-conflicts.ts'
import { dayLink } from '#web/dashboard/kit/navigation/links.ts'
import {
  scheduleConflictsQuery,
  acceptScheduleConflicts,
} from '#web/dashboard/kit/bookings/schedule-conflicts.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { Button, buttonClass } from '#web/ui/button/button.tsx'
import { scheduleConflictLabel } from './card/booking-text.ts'
import './schedule-conflicts-notice.css'

/**
 * Lists the future bookings that have a schedule conflict, because the shop changed its hours, closures or bays. A
 * booking remains listed until staff move or cancel the booking or accept the conflict.
 */
export function ScheduleConflictsNotice() {
  const scheduleConflicts = useQuery(scheduleConflictsQuery).data ?? []
  if (scheduleConflicts.length === 0) return null
  return (
    <section className="notice schedule-conflicts" aria-labelledby="schedule-conflicts-title">
      <h3 id="schedule-conflicts-title">
        {scheduleConflicts.length === 1
          ? '1 appointment is outside your hours or has no bay'
          : `${scheduleConflicts.length} appointments are outside your hours or have no bay`}
      </h3>
      <p>Customers were not notified. Call to reschedule, or keep the appointment as is.</p>
      <ul>
        {scheduleConflicts.map((scheduleConflict) => (
          <ScheduleConflictItem
            key={scheduleConflict.booking_id}
            scheduleConflict={scheduleConflict}
          />
        ))}
      </ul>
    </section>
  )
}

function ScheduleConflictItem({ scheduleConflict }: { scheduleConflict: ScheduleConflict }) {
  const { customer_name, customer_phone, appointment_date, appointment_time } = scheduleConflict
  const queries = useQueryClient()
  const acceptance = useMutation({
    mutationFn: () => acceptScheduleConflicts([scheduleConflict.booking_id]),
    onSuccess: () =>
      toast({
        title: 'Kept as is',
        description: `The appointment of ${customer_name} was not changed.`,
      }),
    onError: () =>
      toast({
        title: 'Error',
        description: 'Could not keep the appointment as it is. Please try again.',
        variant: 'destructive',
      }),
    onSettled: () => refetchQueries(queries, 'bookings'),
  })
  return (
    <li>
      <span>
        <b>{customer_name}</b>, {formatLongDate(appointment_date)}, {formatTime(appointment_time)},{' '}
        {scheduleConflict.service_name}. {scheduleConflictLabel(scheduleConflict)}.
      </span>
      <a className={buttonClass('quiet', { compact: true })} href={tel(customer_phone)}>
        {customer_phone}
      </a>
      <Link
        className={buttonClass('secondary', { compact: true })}
        {...dayLink(appointment_date, scheduleConflict.booking_id)}
      >
        Move…<span className="visually-hidden"> the appointment of {customer_name}</span>
      </Link>
      <Button compact disabled={acceptance.isPending} onClick={() => acceptance.mutate()}>
        Keep as is
        <span className="visually-hidden"> the appointment of {customer_name}</span>
      </Button>
    </li>
  )
}
