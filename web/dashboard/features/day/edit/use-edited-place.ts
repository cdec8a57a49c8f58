import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { minuteOfTime } from '#domain/calendar/clock-time.ts'
import type { UnsavedPlace } from '../board/unsaved-place.ts'
import { readDay } from '../day-api.ts'
import { type BookableService, listBookableServices } from '../phone-booking/phone-bookings-api.ts'
import { findSlotProblem } from '../slot/slot-problem.ts'
import { slotCheckQuery } from '../slot/use-proposed-slot.ts'
import { type EditForm, editFormOf } from './edit-form.ts'

/** Lists the services to choose from, and checks whether the chosen service fits at the booked time. */
export function useEditedPlace({ serviceId, date, time }: EditForm, booking: DayBooking) {
  const [accepted, setAccepted] = useState<string>()
  const offered = useQuery({ queryKey: ['services', 'bookable'], queryFn: listBookableServices })
  const own: BookableService = {
    id: booking.service_id,
    name: booking.service_name,
    duration_minutes: booking.minutes,
  }
  // The list always contains the booking's own service, even when the shop no longer offers it.
  const services = [own, ...(offered.data ?? []).filter(({ id }) => id !== own.id)]
  const service = services.find(({ id }) => id === serviceId) ?? own
  const start = editFormOf(booking)
  const isMoved = date !== start.date || time !== start.time
  // A booking without a bay gets a bay only when its start changes. Without a bay, a booking cannot conflict with
  // another booking, so a new service needs no check.
  const needsCheck = isMoved || (serviceId !== own.id && booking.bay_id !== null)
  const slot = { serviceId, date, time, bayId: '' }
  const check = useQuery({
    ...slotCheckQuery(slot, booking.id, service.duration_minutes),
    enabled: needsCheck,
  })
  const day = useQuery({ queryKey: ['bookings', 'day', date], queryFn: () => readDay(date) })
  const found = needsCheck ? (check.data ?? undefined) : undefined
  const slotProblem = found && findSlotProblem({ slot, service, check: found, day: day.data })
  const key = JSON.stringify(slot)
  const isAccepted = slotProblem?.isRefused === false && accepted === key
  const startsAtMinute = minuteOfTime(time)
  const conflict: UnsavedPlace = {
    date,
    bayId: booking.bay_id ?? undefined,
    startsAtMinute,
    endsAtMinute: startsAtMinute + service.duration_minutes,
    isConflict: true,
  }
  return {
    services,
    service,
    isUnread: offered.isError,
    retry: () => void offered.refetch(),
    isChecking: needsCheck && check.isPending,
    slotProblem: isAccepted ? undefined : slotProblem,
    /** The slot with a conflict, which the day view marks; undefined without a conflict. */
    conflict: slotProblem && !isAccepted ? conflict : undefined,
    freeTimes: found?.free_times ?? [],
    accept: () => setAccepted(key),
  }
}
