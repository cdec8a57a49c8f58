import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, type Ref, useState } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { addDays, formatLongDate, weekdayOf } from '#domain/calendar/calendar-date.ts'
import { timeOfMinute } from '#domain/calendar/clock-time.ts'
import { useShop } from '#web/lib/shop.ts'
import { useBookingAddress } from '#web/dashboard/kit/bookings/use-booking-address.ts'
import { usePhoneBookingAddress } from '#web/dashboard/kit/bookings/use-phone-booking-address.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { OfflineBanner } from '#web/dashboard/kit/controls/offline-banner.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ChosenBookingPanel, type MoveStart } from './chosen-booking-panel.tsx'
import { useDay } from './use-day.ts'
import { DayBody } from './day-body.tsx'
import { DayHeader } from './day-header.tsx'
import { MovedNotice } from './moved-notice.tsx'
import type { MoveTarget } from './move/move-api.ts'
import { useUnsavedPlaceOf } from './board/unsaved-place.ts'
import { layOutDay } from './board/day-layout.ts'
import { isCancellable, SelectAppointments } from './select-appointments.tsx'
import { useBookingShortcuts } from './use-booking-shortcuts.ts'
import { useDayShortcuts } from './use-day-shortcuts.ts'
import { useDrop } from './drag/use-drop.ts'
import { useScrollInDay } from './use-scroll-in-day.ts'
import { useFocusOnLeave } from './use-focus-on-leave.ts'
import { useSelectionMode } from './use-selection-mode.ts'
import { focusByArrows } from './board/focus-by-arrows.ts'
import './day.css'

/** The fields of a booking that the dialog for cancelling several bookings requires. */
type ManyToCancel = Pick<
  Booking,
  | 'id'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'flagged_reasons'
  | 'hold_confirmed_at'
>

type Props = {
  /** The shown date, yyyy-MM-dd. */
  date: string
  /** The control that switches between Day, Calendar and List. */
  viewSwitch: ReactNode
  /** Shows another date. If a booking id is given, also opens the panel of this booking. */
  onShowDate: (date: string, bookingId?: string) => void
  /** Opens the dialog that converts a booking into a task. */
  onAddToTasks: (booking: Booking) => void
  /** Opens the dialog that confirms the deletion of a completed booking. */
  onDelete: (booking: Booking) => void
  /** Opens the dialog that confirms the cancellation of several bookings. */
  onCancelMany: (bookings: readonly ManyToCancel[]) => void
  /** Opens the phone booking panel, for example for a free slot. */
  onBook: (start: { date: string; time?: string; bayId?: string }) => void
}

/** The day view: all bookings of one date by bay, with waiting customers and free slots. */
export function DayView(props: Props) {
  const { date, viewSwitch, onShowDate, onAddToTasks, onDelete, onCancelMany, onBook } = props
  const today = useShopToday()
  const { week } = useShop()
  const day = useDay(date)
  const { chosenId, isMoving, isEditing, choose, openMove, openEdit, closeStep } =
    useBookingAddress()
  const { isSelecting, begin, end, button } = useSelectionMode()
  const close = () => choose(undefined)
  useFocusOnLeave(chosenId)
  const chosen = day.data?.bookings.find(({ id }) => id === chosenId)
  const [frozenDay, freezeDay] = useState<ShopDay>()
  const [moveStart, openMovePanel] = useMoveStart(openMove)
  const drop = useDrop({ day: day.data, onDecide: openMovePanel })
  useBookingShortcuts({
    day: day.data,
    chosenId,
    isBusy: isSelecting || isMoving || isEditing,
    onMove: (id) => openMovePanel(id, {}),
    onEdit: openEdit,
  })
  const unsavedPlace = useUnsavedPlaceOf(date)
  const isBooking = usePhoneBookingAddress().start !== undefined
  const shown = frozenDay?.day === date ? frozenDay : day.data
  const plan = shown && layOutDay(shown, week[weekdayOf(date)])
  const scrollToNow = useScrollInDay({
    isDrawn: plan !== undefined,
    isToday: date === today,
    chosenId,
  })
  const show = (wanted: string) => {
    onShowDate(wanted)
    scrollToNow(wanted === today)
  }
  const step = (days: -1 | 1) => show(addDays(date, days))
  const showToday = () => show(today)
  useDayShortcuts({ onStep: step, onLeave: isSelecting ? end : close })
  useShortcut('t', showToday)
  return (
    <div
      className={chosen || isBooking ? 'day day-beside' : 'day'}
      role="presentation"
      onKeyDown={focusByArrows}
    >
      <DayHeader
        date={date}
        count={plan?.blocks.length}
        viewSwitch={viewSwitch}
        onStep={step}
        onToday={showToday}
      />
      <OfflineBanner />
      <h2 className="day-printed">{formatLongDate(date)}</h2>
      <DayLoadFailure day={day} />
      {day.data && chosenId && !chosen && (
        <MovedNotice
          bookingId={chosenId}
          date={date}
          onShowDate={(movedTo) => onShowDate(movedTo, chosenId)}
        />
      )}
      {day.data && plan && isSelecting && (
        <SelectAppointments
          key={date}
          day={day.data}
          onCancel={(bookings) => onCancelMany(bookings.map(asHeld))}
          onEnd={end}
        />
      )}
      {shown && plan && !isSelecting && (
        <DayBody
          day={shown}
          plan={plan}
          unsavedPlace={unsavedPlace}
          selection={{
            chosenId,
            onChoose: choose,
            onBook: (minute, bayId) => onBook({ date, time: timeOfMinute(minute), bayId }),
          }}
          dragHandlers={{
            onFreeze: (isFrozen) => freezeDay(isFrozen ? day.data : undefined),
            onDrop: drop,
            onOpenMovePanel: ({ id }) => openMovePanel(id, {}),
          }}
        />
      )}
      {day.data?.bookings.some(isCancellable) && !isSelecting && (
        <SelectButton
          ref={button}
          onClick={() => {
            close()
            begin()
          }}
        />
      )}
      {day.isPending && <Skeleton className="day-skeleton" />}
      {day.data && chosen && (
        <ChosenBookingPanel
          day={day.data}
          booking={chosen}
          isMoving={isMoving}
          isEditing={isEditing}
          moveStart={moveStart?.id === chosen.id ? moveStart : undefined}
          onMove={() => openMovePanel(chosen.id, {})}
          onEdit={() => openEdit(chosen.id)}
          onBack={closeStep}
          onMoved={(movedTo) => (movedTo === date ? close() : onShowDate(movedTo))}
          onClose={close}
          onAddToTasks={onAddToTasks}
          onDelete={onDelete}
        />
      )}
    </div>
  )
}

function SelectButton({ ref, onClick }: { ref: Ref<HTMLButtonElement>; onClick: () => void }) {
  return (
    <Button ref={ref} compact level="quiet" className="day-select" onClick={onClick}>
      Select appointments…
    </Button>
  )
}

/**
 * Stores the initial values of the move panel. Returns these values, and a function that opens the move panel of a
 * booking.
 */
function useMoveStart(openMove: (id: string) => void): [MoveStart | undefined, OpenMovePanel] {
  const [start, setStart] = useState<MoveStart>()
  return [
    start,
    (id, target, wasTaken = false) => {
      setStart({ id, start: target, wasTaken })
      openMove(id)
    },
  ]
}

function DayLoadFailure({ day }: { day: UseQueryResult<ShopDay> }) {
  if (!day.isError) return null
  return (
    <LoadFailure
      title="The day could not be loaded."
      readAt={day.data && new Date(day.dataUpdatedAt)}
      onRetry={() => void day.refetch()}
    >
      Your appointments are safe. Only loading them failed.
    </LoadFailure>
  )
}

/**
 * Converts a booking of the day view for the dialog that cancels several bookings. The dialog uses `hold_confirmed_at`
 * to check whether a flagged booking was confirmed. The day view's data lacks this field, so every booking that does
 * not wait for the customer's confirmation counts as confirmed.
 */
const asHeld = (booking: DayBooking): ManyToCancel => ({
  ...booking,
  hold_confirmed_at: booking.held_until === null ? booking.state_changed_at : null,
})

type OpenMovePanel = (id: string, start: Partial<MoveTarget>, wasTaken?: boolean) => void
