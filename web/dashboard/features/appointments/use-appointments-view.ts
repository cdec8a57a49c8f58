import { addDays, isCalendarDate, mondayOf } from '#domain/calendar/calendar-date.ts'
import { useSearchParams } from '#web/dashboard/kit/navigation/use-search-params.ts'

const views = ['day', 'calendar', 'list'] as const
export type View = (typeof views)[number]

const rememberedViewKey = 'admin_appointments_view'

/**
 * The shown view and date, stored in the address as `view` and `day`. The calendar shows the week of `day`.
 */
export type AppointmentsView = {
  readonly view: View
  readonly monday: string
  readonly day: string
  readonly show: (view: View) => void
  readonly showDay: (date: string) => void
  /** Shows another date and adds a history entry, so that Back returns to the previous date. */
  readonly showDate: (date: string) => void
  readonly showToday: () => void
  readonly showWeek: (step: -1 | 1) => void
}

export function useAppointmentsView(today: string): AppointmentsView {
  const [params, change] = useSearchParams()
  const requestedDay = params.get('day') ?? ''
  const day = isCalendarDate(requestedDay) ? requestedDay : today
  const view = params.get('view') ?? localStorage.getItem(rememberedViewKey)
  return {
    view: views.find((candidate) => candidate === view) ?? 'calendar',
    monday: mondayOf(day),
    day,
    show: (next) => {
      localStorage.setItem(rememberedViewKey, next)
      change({ view: next })
    },
    showDay: (date) => change({ day: date === today ? null : date }, { replace: true }),
    showDate: (date) => change({ day: date === today ? null : date }),
    showToday: () => change({ day: null }),
    showWeek: (step) => change({ day: addDays(mondayOf(day), step * 7) }),
  }
}
