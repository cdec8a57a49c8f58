import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { bookingCount } from './bookings-api.ts'
import type { AppointmentsView } from './use-appointments-view.ts'

/** The toolbar: the number of bookings, the week navigation, the view switch and the search field. */
export function AppointmentsToolbar(props: {
  view: AppointmentsView
  showsList: boolean
  searchField: ReactNode
  viewSwitch: ReactNode
}) {
  const { view, showsList, searchField, viewSwitch } = props
  const count = useQuery(bookingCount)
  return (
    <div className="toolbar appointments-tools">
      <h2>
        Appointments <span>({count.data ?? '…'})</span>
      </h2>
      {showsList ? <span /> : <WeekNavigation view={view} />}
      {viewSwitch}
      {searchField}
    </div>
  )
}

function WeekNavigation({ view }: { view: AppointmentsView }) {
  return (
    <div className="week-navigation">
      <Button compact square aria-label="Previous week" onClick={() => view.showWeek(-1)}>
        <Icon name="chevron-left" />
      </Button>
      <Button compact onClick={view.showToday}>
        Today
      </Button>
      <Button compact square aria-label="Next week" onClick={() => view.showWeek(1)}>
        <Icon name="chevron-right" />
      </Button>
      <b aria-live="polite">Week of {formatDate(view.monday)}</b>
      <Button compact level="quiet" className="print-day" onClick={() => window.print()}>
        Print day
      </Button>
    </div>
  )
}
