import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FreeTime } from '#contracts/bookings/phone-bookings.ts'
import { readDay } from '../day-api.ts'
import { findSlotProblem } from './slot-problem.ts'
import {
  checkSlot,
  listBookableServices,
  listFreeTimes,
  noBay,
  type ProposedSlot,
} from '../phone-booking/phone-bookings-api.ts'

/** Where a panel was opened from: a day, or a gap of it. */
export type SlotStart = { readonly date: string; readonly time?: string; readonly bayId?: string }

/** Names what the database says to a place, so that who asks twice at once gets one answer. */
export const slotCheckQuery = (slot: ProposedSlot, bookingId: string, minutes?: number) => ({
  queryKey: ['bookings', 'slot-check', slot, bookingId, minutes],
  queryFn: async () => (await checkSlot(slot, bookingId, minutes)) ?? null,
})

/**
 * Asks what the database says to a place at this moment; a panel that shows it has the answer, too. News puts an end to
 * what `fetchQuery` asks, and who acts on the answer would fail for it.
 */
export async function checkSlotNow(
  queries: QueryClient,
  ...[slot, bookingId, minutes]: Parameters<typeof slotCheckQuery>
) {
  const { queryKey, queryFn } = slotCheckQuery(slot, bookingId, minutes)
  const check = await queryFn()
  queries.setQueryData(queryKey, check)
  return check
}

/**
 * The service, day, time and bay that are being booked. What nobody chose follows: the service that the caller asked
 * for last, else the shop's first, and its first free time.
 */
export function useProposedSlot(
  start: SlotStart,
  begun: ProposedSlot | undefined,
  lastServiceId: string | undefined,
  bookingId: string,
) {
  const [from, setFrom] = useState(start)
  const [form, setForm] = useState<ProposedSlot>(() =>
    // Who comes from a gap means its time, whatever was chosen before.
    begun && start.time === undefined ? begun : proposedSlotOf(start, begun?.serviceId),
  )
  if (from !== start) {
    setFrom(start)
    // Another gap is meant; the button again is not.
    if (start.time !== undefined) setForm(proposedSlotOf(start, form.serviceId))
  }
  const [acceptedClosed, setAcceptedClosed] = useState<string>()
  const services = useQuery({ queryKey: ['services', 'bookable'], queryFn: listBookableServices })
  const isOffered = (id: string | undefined) => services.data?.some((service) => service.id === id)
  const wanted = [form.serviceId, lastServiceId].find(isOffered) ?? services.data?.[0]?.id ?? ''
  const service = services.data?.find(({ id }) => id === wanted)

  const search = {
    serviceId: wanted,
    date: form.date,
    bayId: form.bayId === noBay ? '' : form.bayId,
  }
  // Asked once: what staff have told the caller does not change by itself, only the check does.
  const nextTimes = useQuery({
    queryKey: ['first-free-times', search],
    queryFn: () => listFreeTimes(search),
    enabled: wanted !== '',
    staleTime: Infinity,
    gcTime: 0,
  })
  const first = nextTimes.data?.[0]
  const slot: ProposedSlot = {
    ...form,
    serviceId: wanted,
    ...(form.time === '' && first && { date: first.date, time: first.time }),
  }
  const day = useQuery({
    queryKey: ['bookings', 'day', slot.date],
    queryFn: () => readDay(slot.date),
  })
  const canCheck = slot.time !== '' && slot.bayId !== noBay && wanted !== ''
  const checking = useQuery({ ...slotCheckQuery(slot, bookingId), enabled: canCheck })
  const check = canCheck ? (checking.data ?? undefined) : undefined
  const slotProblem = check && service && findSlotProblem({ slot, service, check, day: day.data })
  const isAccepted = slotProblem?.isRefused === false && acceptedClosed === keyOf(slot)
  // Whoever chooses a day, a time or a bay means it together with the other two.
  const change = (changes: Partial<ProposedSlot>) =>
    setForm({
      ...('serviceId' in changes ? form : { ...slot, serviceId: form.serviceId }),
      ...changes,
    })
  return {
    form,
    slot,
    service,
    services,
    day: day.data,
    check,
    slotProblem: isAccepted ? undefined : slotProblem,
    /** Whether staff said that the hours do not matter here. */
    isAccepted,
    freeTimes: check?.free_times.length ? check.free_times : (nextTimes.data ?? []),
    change,
    selectTime: ({ date, time, bay_ids }: FreeTime) =>
      change({ date, time, bayId: bay_ids[0] ?? '' }),
    bookAnyway: () =>
      slotProblem?.isRefused ? change({ bayId: noBay }) : setAcceptedClosed(keyOf(slot)),
  }
}

function proposedSlotOf({ date, time = '', bayId = '' }: SlotStart, serviceId = ''): ProposedSlot {
  return { serviceId, date, time, bayId }
}

/** Another time or bay is another question. */
const keyOf = (slot: ProposedSlot) => JSON.stringify(slot)
