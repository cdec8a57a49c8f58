import { useState } from 'react'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { formatTime, minuteOfTime } from '#domain/calendar/clock-time.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { type UnsavedPlace, useShownInDay } from '../board/unsaved-place.ts'
import type { MoveTarget } from './move-api.ts'
import { formatBay } from './move-text.ts'
import { noBay } from '../phone-booking/phone-bookings-api.ts'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'
import { useMove } from './use-move.ts'
import { useMoveForm } from './use-move-form.ts'

type Options = {
  readonly booking: DayBooking
  readonly bays: ShopDay['bays']
  readonly start: Partial<MoveTarget>
  readonly wasTaken: boolean
  readonly today: string
  readonly onMoved: (date: string) => void
}

export type MovePanelState = ReturnType<typeof useMovePanel>

const slotTakenCode = '23P01'

/** State of the move panel: the form, its errors and prompts, and the saving of the move. */
export function useMovePanel({ booking, bays, start, wasTaken, today, onMoved }: Options) {
  const form = useMoveForm(booking, start, today)
  const moving = useMove()
  const [seen] = useState(booking)
  const [showsAll, showAll] = useState(Object.keys(start).length > 0)
  const [notifies, setNotifies] = useState(booking.customer_email !== null)
  const [promptCount, setPromptCount] = useState(0)
  const [reasonError, setReasonError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [takenSlotKey, setTakenSlotKey] = useState(wasTaken ? slotKey(form.slot) : undefined)
  const slotProblem =
    form.slotProblem && takenSlotKey === slotKey(form.slot)
      ? { ...form.slotProblem, title: justTaken(form.slot, bays) }
      : form.slotProblem

  useShownInDay(slotProblem && conflictPlace(form.slot))

  const save = () => {
    const { slot, own } = form
    setFailure(undefined)
    const lacksReason = slot.bayId === noBay && own.bayId !== noBay && slot.reason.trim() === ''
    setReasonError(lacksReason ? 'Please enter a reason.' : undefined)
    if (lacksReason || form.lengthError) return
    if (slotProblem) return setPromptCount(promptCount + 1)
    const isNotified = notifies && (slot.date !== own.date || slot.time !== own.time)
    moving.move({ booking, slot, bays, notifies: isNotified }).then(
      () => onMoved(slot.date),
      (error: unknown) => {
        if (error instanceof DataError && error.code === slotTakenCode) {
          setTakenSlotKey(slotKey(slot))
          setPromptCount((count) => count + 1)
        } else setFailure(bookingErrorToast(error).description)
      },
    )
  }
  return {
    form,
    serviceId: booking.service_id,
    slotProblem,
    /** Whether another window moved the booking while this panel was open. */
    wasChanged: booking.version !== seen.version && isElsewhere(booking, seen),
    showsAll,
    showAll,
    notifies,
    setNotifies,
    promptCount,
    reasonError,
    failure,
    isBusy: moving.isBusy,
    save,
  }
}

/** The slot with a conflict, which the day view marks; undefined without a conflict. */
function conflictPlace({ date, time, minutes, bayId }: MoveTarget): UnsavedPlace {
  const startsAtMinute = minuteOfTime(time)
  return {
    date,
    bayId: bayId === noBay ? null : bayId || undefined,
    startsAtMinute,
    endsAtMinute: startsAtMinute + minutes,
    isConflict: true,
  }
}

const slotKey = ({ date, time, bayId }: MoveTarget) => `${date} ${time} ${bayId}`

/** The title of the notice that another booking took the slot: '4:30 PM in Bay 1 was just taken'. */
const justTaken = ({ time, bayId }: MoveTarget, bays: ShopDay['bays']) =>
  `${formatTime(time)}${bayId === '' ? '' : ` in ${formatBay(bayId, bays)}`} was just taken`

const isElsewhere = (now: DayBooking, seen: DayBooking) =>
  now.starts_at !== seen.starts_at || now.bay_id !== seen.bay_id || now.minutes !== seen.minutes
