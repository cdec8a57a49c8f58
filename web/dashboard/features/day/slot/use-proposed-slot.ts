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

/** The date or the free slot that the user pressed to open the panel. */
export type SlotStart = { readonly date: string; readonly time?: string; readonly bayId?: string }

/**
 * The query that asks the database whether a slot is free. Several components that check the same slot share one
 * request.
 */
export const slotCheckQuery = (slot: ProposedSlot, bookingId: string, minutes?: number) => ({
  queryKey: ['bookings', 'slot-check', slot, bookingId, minutes],
  queryFn: async () => (await checkSlot(slot, bookingId, minutes)) ?? null,
})

/**
 * Asks the database now whether a slot is free, and stores the answer in the query cache for the panel. Calls `queryFn`
 * instead of `fetchQuery`, because a live event would cancel a `fetchQuery` and reject its promise.
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

type Options = {
  /**
   * The service, date, time and bay that staff have selected so far; an empty string for each field that is still open.
   */
  readonly form: ProposedSlot
  readonly setForm: (form: ProposedSlot) => void
  readonly lastServiceId: string | undefined
  readonly bookingId: string
}

/**
 * The service, date, time and bay of the proposed booking. Fields without a choice have defaults: the service that the
 * customer booked last (otherwise the first service of the shop), and the first free time for this service.
 */
export function useProposedSlot({ form, setForm, lastServiceId, bookingId }: Options) {
  const [acceptedClosed, setAcceptedClosed] = useState<string>()
  const services = useQuery({ queryKey: ['services', 'bookable'], queryFn: listBookableServices })
  const isOffered = (id: string | undefined) => services.data?.some((service) => service.id === id)
  const chosenServiceId =
    [form.serviceId, lastServiceId].find(isOffered) ?? services.data?.[0]?.id ?? ''
  const service = services.data?.find(({ id }) => id === chosenServiceId)

  const search = {
    serviceId: chosenServiceId,
    date: form.date,
    bayId: form.bayId === noBay ? '' : form.bayId,
  }
  // Requests the proposed times only once, because the times must not change while the employee reads them to the
  // customer on the phone. Only the check of the chosen slot is refreshed.
  const nextTimes = useQuery({
    queryKey: ['first-free-times', search],
    queryFn: () => listFreeTimes(search),
    enabled: chosenServiceId !== '',
    staleTime: Infinity,
    gcTime: 0,
  })
  const first = nextTimes.data?.[0]
  const slot: ProposedSlot = {
    ...form,
    serviceId: chosenServiceId,
    ...(form.time === '' && first && { date: first.date, time: first.time }),
  }
  const day = useQuery({
    queryKey: ['bookings', 'day', slot.date],
    queryFn: () => readDay(slot.date),
  })
  const canCheck = slot.time !== '' && slot.bayId !== noBay && chosenServiceId !== ''
  const slotCheck = useQuery({ ...slotCheckQuery(slot, bookingId), enabled: canCheck })
  const check = canCheck ? (slotCheck.data ?? undefined) : undefined
  const slotProblem = check && service && findSlotProblem({ slot, service, check, day: day.data })
  const isAccepted = slotProblem?.isRefused === false && acceptedClosed === keyOf(slot)
  // After a change of date, time or bay, the form also stores the displayed values of the other two fields. After a
  // change of the service, the form stores only the service, so that it can propose the first free time of the new
  // service.
  const change = (changes: Partial<ProposedSlot>) =>
    setForm({
      ...('serviceId' in changes ? form : { ...slot, serviceId: form.serviceId }),
      ...changes,
    })
  return {
    slot,
    service,
    services,
    day: day.data,
    check,
    slotProblem: isAccepted ? undefined : slotProblem,
    /** Whether the employee accepted a time outside the opening hours. */
    isAccepted,
    freeTimes: check?.free_times.length ? check.free_times : (nextTimes.data ?? []),
    change,
    selectTime: ({ date, time, bay_ids }: FreeTime) =>
      change({ date, time, bayId: bay_ids[0] ?? '' }),
    bookAnyway: () =>
      slotProblem?.isRefused ? change({ bayId: noBay }) : setAcceptedClosed(keyOf(slot)),
  }
}

/** The slot from which the panel was opened. */
export function proposedSlotOf(
  { date, time = '', bayId = '' }: SlotStart,
  serviceId = '',
): ProposedSlot {
  return { serviceId, date, time, bayId }
}

/**
 * Returns a text that identifies a slot. The hook stores the text of a slot whose problem staff accepted. After a
 * change of any field the text differs, so staff must decide again.
 */
const keyOf = (slot: ProposedSlot) => JSON.stringify(slot)
