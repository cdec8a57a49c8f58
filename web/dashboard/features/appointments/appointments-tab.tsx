import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import {
  type PhoneBookingStart,
  usePhoneBookingAddress,
} from '#web/dashboard/kit/bookings/use-phone-booking-address.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { BookButton } from '#web/dashboard/kit/bookings/book-button.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { AppointmentList } from './appointment-list.tsx'
import { AppointmentsToolbar } from './appointments-toolbar.tsx'
import type { BookingHandlers } from './card/booking-buttons.tsx'
import { listSpecialHours, listWeek, type SelectableBooking } from './bookings-api.ts'
import { CancelBookingsDialog } from './cancel/cancel-bookings-dialog.tsx'
import { CancelledNotice } from './cancel/cancelled-notice.tsx'
import { DeleteBookingDialog } from './card/delete-booking-dialog.tsx'
import { AppointmentsLoadFailure } from './appointments-load-failure.tsx'
import { ScheduleConflictsNotice } from './schedule-conflicts-notice.tsx'
import { SearchField } from './search-field.tsx'
import { type AppointmentsView, useAppointmentsView, type View } from './use-appointments-view.ts'
import { useBookingActions } from './card/use-booking-actions.ts'
import { type BulkCancellation, useCancellation } from './cancel/use-cancellation.ts'
import { useSelection } from './cancel/use-selection.ts'
import { ViewSwitch } from './view-switch.tsx'
import { WeekCalendar } from './week/week-calendar.tsx'
import './appointments.css'

type ViewsProps = {
  /** Opens the dialog that converts a booking into a task. */
  onAddToTasks: (booking: Booking) => void
  /** The component of the day view, which shows the bookings of one date by bay. */
  DayView: ComponentType<{
    date: string
    viewSwitch: ReactNode
    onShowDate: (date: string, bookingId?: string) => void
    onAddToTasks: (booking: Booking) => void
    onDelete: (booking: Booking) => void
    /** Opens the dialog that confirms the cancellation of several bookings. */
    onCancelMany: (bookings: readonly SelectableBooking[]) => void
    onBook: (start: PhoneBookingStart) => void
  }>
  /** The panel of the booking whose id is in the URL. The panel opens beside the calendar and the list. */
  AppointmentPanel: ComponentType<{
    onAddToTasks: (booking: Booking) => void
    onDelete: (booking: Booking) => void
  }>
}

type Props = ViewsProps & {
  /** The panel in which staff book an appointment for a customer on the phone. */
  BookingPanel: ComponentType<{
    start: PhoneBookingStart | undefined
    onClose: () => void
  }>
}

/**
 * The shop's bookings in a day view, a week calendar or a list. The phone booking panel opens beside each of these
 * views.
 */
export function AppointmentsTab({ BookingPanel, ...views }: Props) {
  const today = useShopToday()
  const view = useAppointmentsView(today)
  const { start, open: openAt, close } = usePhoneBookingAddress()
  // If the view shows a past date, the phone booking panel proposes today instead.
  const open = () => openAt({ date: view.day < today ? today : view.day })
  useShortcut('n', open)
  return (
    <>
      <Views
        {...views}
        bookButton={<BookButton isBooking={start !== undefined} onBook={open} />}
        onBook={openAt}
      />
      {start && <BookingPanel start={start} onClose={close} />}
    </>
  )
}

function Views(
  props: ViewsProps & {
    bookButton: ReactNode
    onBook: (start: PhoneBookingStart) => void
  },
) {
  const { onAddToTasks, DayView, AppointmentPanel, bookButton, onBook } = props
  const today = useShopToday()
  const view = useAppointmentsView(today)
  const actions = useBookingActions()
  const cancellation = useCancellation()
  const selection = useSelection()
  const dialogs = useBookingDialogs({ actions, cancellation, selection })
  // The search text is a name or a phone number. The URL does not contain the search text, because names and phone
  // numbers are personal data.
  const [search, setSearch] = useState('')
  const [searchField, renewSearchField] = useState(0)
  const endSearch = () => {
    setSearch('')
    renewSearchField(searchField + 1)
  }
  const handlers: BookingHandlers = {
    onComplete: actions.complete,
    onUndo: actions.undo,
    onDelete: dialogs.confirmDelete,
    onReopen: cancellation.reopen,
    onAddToTasks,
    busyId: actions.busyId ?? cancellation.busyId,
  }
  const shown: View = search === '' ? view.view : 'list'
  const viewSwitch = (
    <div className="views-and-book">
      <ViewSwitch
        shown={shown}
        onShow={(next) => {
          // Only the list can show search results, so a switch to the day view or the calendar ends the search.
          if (next !== 'list') endSearch()
          view.show(next)
        }}
      />
      {bookButton}
    </div>
  )
  if (shown === 'day') {
    return (
      <>
        <CancelledNotice cancellation={cancellation} />
        <ScheduleConflictsNotice />
        <DayView
          date={view.day}
          viewSwitch={viewSwitch}
          onShowDate={view.showDate}
          onAddToTasks={onAddToTasks}
          onDelete={dialogs.confirmDelete}
          onCancelMany={dialogs.confirmCancel}
          onBook={onBook}
        />
        {dialogs.shown}
      </>
    )
  }
  return (
    <>
      <AppointmentsToolbar
        view={view}
        showsList={shown === 'list'}
        searchField={<SearchField key={searchField} value={search} onSearch={setSearch} />}
        viewSwitch={viewSwitch}
      />
      <CancelledNotice cancellation={cancellation} />
      <ScheduleConflictsNotice />
      {shown === 'list' ? (
        <AppointmentList
          key={search}
          search={search}
          handlers={handlers}
          selection={selection}
          onCancel={() => dialogs.confirmCancel(selection.chosen)}
        />
      ) : (
        <Week view={view} today={today} handlers={handlers} />
      )}
      <AppointmentPanel onAddToTasks={onAddToTasks} onDelete={dialogs.confirmDelete} />
      {dialogs.shown}
    </>
  )
}

/** The dialogs that confirm the cancellation of several bookings and the deletion of one. */
function useBookingDialogs(props: {
  actions: ReturnType<typeof useBookingActions>
  cancellation: ReturnType<typeof useCancellation>
  selection: ReturnType<typeof useSelection>
}) {
  const { actions, cancellation, selection } = props
  const [cancelling, confirmCancel] = useState<readonly SelectableBooking[]>()
  const [deleting, confirmDelete] = useState<Booking>()
  const cancelAll = async (request: BulkCancellation) => {
    const isDone = await cancellation.cancel(request)
    confirmCancel(undefined)
    if (isDone) selection.remove(request.chosen)
  }
  const shown = (
    <>
      {cancelling && (
        <CancelBookingsDialog
          chosen={cancelling}
          isBusy={cancellation.isBusy}
          onConfirm={(request) => void cancelAll({ ...request, chosen: cancelling })}
          onClose={() => confirmCancel(undefined)}
        />
      )}
      <DeleteBookingDialog
        booking={deleting}
        isBusy={deleting !== undefined && actions.busyId === deleting.id}
        onClose={() => confirmDelete(undefined)}
        onConfirm={(booking) => void actions.remove(booking).then(() => confirmDelete(undefined))}
      />
    </>
  )
  return { confirmCancel, confirmDelete, shown }
}

function Week(props: { view: AppointmentsView; today: string; handlers: BookingHandlers }) {
  const { view, today, handlers } = props
  const week = useQuery({
    queryKey: ['bookings', 'week', view.monday],
    queryFn: () => listWeek(view.monday),
    placeholderData: keepPreviousData,
  })
  const { data: specialHours = [] } = useQuery({
    queryKey: ['settings', 'special-hours', view.monday],
    queryFn: () => listSpecialHours(view.monday),
  })
  if (week.isError) return <AppointmentsLoadFailure onRetry={() => void week.refetch()} />
  if (!week.data) return <Skeleton className="week-skeleton" />
  return (
    <div aria-busy={week.isPlaceholderData}>
      <WeekCalendar
        monday={view.monday}
        today={today}
        shownDay={view.day}
        bookings={week.isPlaceholderData ? [] : week.data}
        specialHours={specialHours}
        onShowDay={view.showDay}
        handlers={handlers}
      />
    </div>
  )
}
