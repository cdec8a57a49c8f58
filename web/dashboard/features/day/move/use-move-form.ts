import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DayBooking } from '#contracts/bookings/day.ts'
import type { FreeTime } from '#contracts/bookings/phone-bookings.ts'
import { minutesBetween } from '#domain/calendar/shop-date-time.ts'
import { readDay } from '../day-api.ts'
import { findSlotProblem } from '../slot/slot-problem.ts'
import {
  endOf,
  listOpenDays,
  listTimesToMoveTo,
  type MoveTarget,
  moveTargetOf,
} from './move-api.ts'
import { changesOf } from './move-text.ts'
import { noBay, type ProposedSlot } from '../phone-booking/phone-bookings-api.ts'
import { slotCheckQuery } from '../slot/use-proposed-slot.ts'

export type MoveForm = ReturnType<typeof useMoveForm>

/** The minimum and the maximum duration of an appointment, in minutes (docs/product.md 12.5). */
const shortestMinutes = 5
const longestMinutes = 14 * 24 * 60

/**
 * State of the form that moves a booking. When another window moves the booking, the fields that the user has not
 * changed show the new slot.
 */
export function useMoveForm(booking: DayBooking, start: Partial<MoveTarget>, today: string) {
  const own = moveTargetOf(booking)
  const [changes, setChanges] = useState(start)
  const [until, setUntil] = useState<string>()
  const [firstDate, setFirstDate] = useState(own.date < today ? today : own.date)
  const [shownDate, setShownDate] = useState(start.date ?? firstDate)
  const [acceptedClosed, setAcceptedClosed] = useState<string>()
  const slot: MoveTarget = { ...own, ...changes }
  const lengthError = until === undefined ? undefined : lengthErrorOf(slot, until)

  const times = useQuery({
    queryKey: ['bookings', 'times-to-move-to', booking.id, firstDate, slot.minutes],
    queryFn: () => listTimesToMoveTo(booking, firstDate, slot.minutes),
  })
  const days = useQuery({
    queryKey: ['bookings', 'open-days', firstDate],
    queryFn: () => listOpenDays(firstDate),
  })
  const { bookable, check, slotProblem, isChecking } = useSlotProblem(booking, slot)
  const isAccepted = slotProblem?.isRefused === false && acceptedClosed === keyOf(slot)
  const change = (next: Partial<MoveTarget>) => {
    // A new start also moves the end, so discard an invalid end that the user typed.
    if (changesEnd(next)) setUntil(undefined)
    setChanges({ ...changes, ...next })
  }
  return {
    own,
    slot,
    isChanged: Object.values(changesOf(own, slot)).some(Boolean),
    /** The end of the appointment as 'yyyy-MM-ddTHH:mm', or the typed text if that is not a valid end. */
    until: until ?? endOf(slot),
    lengthError,
    firstDate,
    shownDate,
    days: days.data,
    times,
    bookable,
    check,
    /** Whether the check of the slot for conflicts is still running. */
    isChecking,
    slotProblem: isAccepted ? undefined : slotProblem,
    change,
    showDate: setShownDate,
    showFrom: (date: string) => {
      setFirstDate(date)
      setShownDate(date)
    },
    selectTime: ({ date, time, bay_ids: [bayId = ''] }: FreeTime) => {
      setShownDate(date)
      change({ date, time, bayId })
    },
    changeUntil: (dateTime: string) => {
      if (lengthErrorOf(slot, dateTime)) setUntil(dateTime)
      else change({ minutes: lengthOf(slot, dateTime) })
    },
    /**
     * Lets staff move the booking despite the conflict. A slot that is only outside the opening hours keeps its time
     * and bay. In a slot that the database would reject, the booking keeps its time but gets no bay.
     */
    moveAnyway: () =>
      slotProblem?.isRefused ? change({ bayId: noBay }) : setAcceptedClosed(keyOf(slot)),
  }
}

const changesEnd = ({ date, time, minutes }: Partial<MoveTarget>) =>
  [date, time, minutes].some((each) => each !== undefined)

/**
 * Returns a text that identifies a slot. The text leaves out the reason that staff typed, because another reason does
 * not change the slot.
 */
const keyOf = (slot: MoveTarget) => JSON.stringify({ ...slot, reason: '' })

const lengthOf = ({ date, time }: MoveTarget, until: string) =>
  minutesBetween(`${date}T${time}`, until)

function lengthErrorOf(slot: MoveTarget, until: string): string | undefined {
  if (until === '') return 'Please enter a day and a time.'
  const minutes = lengthOf(slot, until)
  if (minutes < shortestMinutes) return 'The end is before the start.'
  return minutes > longestMinutes ? 'An appointment can last two weeks at most.' : undefined
}

/** Checks a slot against the database and describes the conflict in words. */
function useSlotProblem(booking: DayBooking, { date, time, minutes, bayId }: MoveTarget) {
  const slot: ProposedSlot = { serviceId: booking.service_id, date, time, bayId }
  const lastDate = endOf({ ...slot, minutes, reason: '' }).slice(0, 10)
  const first = useQuery({ queryKey: ['bookings', 'day', date], queryFn: () => readDay(date) })
  const last = useQuery({
    queryKey: ['bookings', 'day', lastDate],
    queryFn: () => readDay(lastDate),
  })
  const slotCheck = useQuery(slotCheckQuery(slot, booking.id, minutes))
  const check = slotCheck.data ?? undefined
  const service = { id: slot.serviceId, name: booking.service_name, duration_minutes: minutes }
  const bookings = [...(first.data?.bookings ?? []), ...(last.data?.bookings ?? [])]
  const day = first.data && { ...first.data, bookings }
  const proposed = { ...slot, bayId: bayId === noBay ? '' : bayId }
  return {
    bookable: first.data,
    check,
    slotProblem: check && findSlotProblem({ slot: proposed, service, check, day }),
    isChecking: slotCheck.isPending,
  }
}
