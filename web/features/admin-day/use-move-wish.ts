import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DayBooking } from '#contracts/day.ts'
import type { FreeTime } from '#contracts/phone-bookings.ts'
import { minutesBetween } from '#domain/shop-moment.ts'
import { readDay } from './day-api.ts'
import { findSlotProblem } from './fit-words.ts'
import {
  endOf,
  listOpenDays,
  listTimesToMoveTo,
  type MoveTarget,
  moveTargetOf,
} from './move-api.ts'
import { changesOf } from './move-words.ts'
import { noBay, type ProposedSlot } from './phone-bookings-api.ts'
import { slotCheckQuery } from './use-place.ts'

export type MoveForm = ReturnType<typeof useMoveForm>

/** Shorter or longer is no appointment (docs/product.md 12.5). */
const shortestMinutes = 5
const longestMinutes = 14 * 24 * 60

/** Where an appointment is to be: what nobody chose follows where it is, also while another window moves it. */
export function useMoveForm(booking: DayBooking, start: Partial<MoveTarget>, today: string) {
  const own = moveTargetOf(booking)
  const [changes, setChanges] = useState(start)
  const [until, setUntil] = useState<string>()
  const [firstDate, setFirstDate] = useState(own.date < today ? today : own.date)
  const [shownDate, setShownDate] = useState(start.date ?? firstDate)
  const [acceptedClosed, setAcceptedClosed] = useState<string>()
  const place: MoveTarget = { ...own, ...changes }
  const lengthError = until === undefined ? undefined : lengthErrorOf(place, until)

  const times = useQuery({
    queryKey: ['bookings', 'times-to-move-to', booking.id, firstDate, place.minutes],
    queryFn: () => listTimesToMoveTo(booking, firstDate, place.minutes),
  })
  const days = useQuery({
    queryKey: ['bookings', 'open-days', firstDate],
    queryFn: () => listOpenDays(firstDate),
  })
  const { bookable, check, misfit, isChecking } = useFit(booking, place)
  const isAccepted = misfit?.isRefused === false && acceptedClosed === keyOf(place)
  const change = (next: Partial<MoveTarget>) => {
    // The end goes with the start.
    if (changesEnd(next)) setUntil(undefined)
    setChanges({ ...changes, ...next })
  }
  return {
    own,
    place,
    isChanged: Object.values(changesOf(own, place)).some(Boolean),
    /** 'yyyy-MM-ddTHH:mm'; as it was typed while it is none. */
    until: until ?? endOf(place),
    lengthError,
    firstDate,
    shownDate,
    days: days.data,
    times,
    bookable,
    check,
    /** Whether it is not yet known what speaks against it. */
    isChecking,
    misfit: isAccepted ? undefined : misfit,
    change,
    showDate: setShownDate,
    showFrom: (date: string) => {
      setFirstDate(date)
      setShownDate(date)
    },
    take: ({ date, time, bay_ids: [bayId = ''] }: FreeTime) => {
      setShownDate(date)
      change({ date, time, bayId })
    },
    changeUntil: (moment: string) => {
      if (lengthErrorOf(place, moment)) setUntil(moment)
      else change({ minutes: lengthOf(place, moment) })
    },
    /** Outside the hours it stays as it is; what the database refuses goes to no bay. */
    moveAnyway: () =>
      misfit?.isRefused ? change({ bayId: noBay }) : setAcceptedClosed(keyOf(place)),
  }
}

const changesEnd = ({ date, time, minutes }: Partial<MoveTarget>) =>
  [date, time, minutes].some((each) => each !== undefined)

/** Why it has no bay is no other place. */
const keyOf = (place: MoveTarget) => JSON.stringify({ ...place, reason: '' })

const lengthOf = ({ date, time }: MoveTarget, until: string) =>
  minutesBetween(`${date}T${time}`, until)

function lengthErrorOf(place: MoveTarget, until: string): string | undefined {
  if (until === '') return 'Please enter a day and a time.'
  const minutes = lengthOf(place, until)
  if (minutes < shortestMinutes) return 'The end is before the start.'
  return minutes > longestMinutes ? 'An appointment can last two weeks at most.' : undefined
}

/** What the database would say to a place, and in words what is in the way. */
function useFit(booking: DayBooking, { date, time, minutes, bayId }: MoveTarget) {
  const place: ProposedSlot = { serviceId: booking.service_id, date, time, bayId }
  const lastDate = endOf({ ...place, minutes, reason: '' }).slice(0, 10)
  const first = useQuery({ queryKey: ['bookings', 'day', date], queryFn: () => readDay(date) })
  const last = useQuery({
    queryKey: ['bookings', 'day', lastDate],
    queryFn: () => readDay(lastDate),
  })
  const checking = useQuery(slotCheckQuery(place, booking.id, minutes))
  const check = checking.data ?? undefined
  const service = { id: place.serviceId, name: booking.service_name, duration_minutes: minutes }
  const bookings = [...(first.data?.bookings ?? []), ...(last.data?.bookings ?? [])]
  const day = first.data && { ...first.data, bookings }
  const asked = { ...place, bayId: bayId === noBay ? '' : bayId }
  return {
    bookable: first.data,
    check,
    misfit: check && findSlotProblem({ place: asked, service, check, day }),
    isChecking: checking.isPending,
  }
}
