import { useMatch, useNavigate } from '@tanstack/react-router'
import { addDays, isCalendarDate, mondayOf } from '#domain/calendar/calendar-date.ts'
import { recallView, rememberView } from '#web/dashboard/kit/navigation/remembered-views.ts'

export type View = 'day' | 'calendar' | 'list'

/** The view (day, calendar or list) and the date that the URL contains. The calendar shows the week of `day`. */
export type AppointmentsView = {
  readonly view: View
  readonly monday: string
  readonly day: string
  readonly show: (view: View) => void
  readonly showDay: (date: string) => void
  /**
   * Shows another date, optionally with the panel of a booking, and adds a history entry, so that Back returns to the
   * previous date.
   */
  readonly showDate: (date: string, bookingId?: string) => void
  readonly showToday: () => void
  readonly showWeek: (step: -1 | 1) => void
}

export function useAppointmentsView(today: string): AppointmentsView {
  const navigate = useNavigate()
  const dayMatch = useMatch({ from: '/appointment-views/day/{-$date}', shouldThrow: false })
  const otherMatch = useMatch({ from: '/appointment-views/appointments', shouldThrow: false })
  const requestedDay = dayMatch?.params.date ?? otherMatch?.search.day ?? ''
  const day = isCalendarDate(requestedDay) ? requestedDay : today
  // If the URL contains no date, the view shows today and changes to the new date at midnight.
  const dated = (date: string) => (date === today ? undefined : date)
  // The phone booking panel stays open when the user switches the view.
  const { book, bay } = dayMatch?.search ?? otherMatch?.search ?? {}
  const view = dayMatch ? 'day' : (otherMatch?.search.view ?? recalledView())
  const showCalendar = (date: string, replace: boolean) =>
    void navigate({
      to: '/appointments',
      search: { view: otherMatch?.search.view, day: dated(date), book, bay },
      replace,
      resetScroll: false,
    })
  return {
    view,
    monday: mondayOf(day),
    day,
    show: (next) => {
      rememberView(next)
      if (next === 'day') {
        void navigate({
          to: '/day/{-$date}',
          params: { date: dated(day) },
          search: { book, bay },
        })
      } else {
        void navigate({ to: '/appointments', search: { view: next, day: dated(day), book, bay } })
      }
    },
    showDay: (date) => showCalendar(date, true),
    showDate: (date, booking) =>
      void navigate({
        to: '/day/{-$date}',
        params: { date: dated(date) },
        // When the view changes to the new date of a moved booking, the move panel stays open.
        search: { booking, move: booking ? dayMatch?.search.move : undefined, book, bay },
        resetScroll: false,
      }),
    showToday: () => showCalendar(today, false),
    showWeek: (step) => showCalendar(addDays(mondayOf(day), step * 7), false),
  }
}

const recalledView = (): View => (recallView() === 'list' ? 'list' : 'calendar')
