import { useSyncExternalStore } from 'react'
import { navigateSearch } from '#web/dashboard/kit/navigation/use-search-params.ts'

/** Whom a booking by phone is to be begun for. */
export type PhoneBookingPrefill =
  | { readonly kind: 'known'; readonly name: string; readonly phone: string | null }
  /** What was searched for in vain. */
  | { readonly kind: 'new'; readonly search: string }

/*
 * Names and numbers stay out of the address: who is to be booked waits here for the view that books, which takes it
 * once.
 */
let prefill: PhoneBookingPrefill | undefined
const listeners = new Set<() => void>()

function change(next: PhoneBookingPrefill | undefined): void {
  prefill = next
  for (const listener of listeners) listener()
}

/** Leads to the appointments, where the panel for who is calling opens for somebody. */
export function openPhoneBooking(next: PhoneBookingPrefill): void {
  change(next)
  const isThere = new URLSearchParams(window.location.search).get('tab') === 'appointments'
  if (!isThere) navigateSearch('?tab=appointments')
}

/** Who waits to be booked, and how to say that they are taken. */
export function usePhoneBookingPrefill(): [
  wish: PhoneBookingPrefill | undefined,
  forget: () => void,
] {
  const current = useSyncExternalStore(subscribe, () => prefill)
  return [current, forget]
}

const forget = () => change(undefined)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
