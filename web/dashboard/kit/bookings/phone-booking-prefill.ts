import { useSyncExternalStore } from 'react'
import { navigateSearch } from '#web/dashboard/kit/navigation/use-search-params.ts'

/** The customer with whom the phone booking panel opens. */
export type PhoneBookingPrefill =
  | { readonly kind: 'known'; readonly name: string; readonly phone: string | null }
  /** Search text that found no customer. */
  | { readonly kind: 'new'; readonly search: string }

/*
 * Names and phone numbers never appear in the URL. This variable passes them to the phone booking panel, which reads
 * them once.
 */
let prefill: PhoneBookingPrefill | undefined
const listeners = new Set<() => void>()

function change(next: PhoneBookingPrefill | undefined): void {
  prefill = next
  for (const listener of listeners) listener()
}

/** Goes to the appointments tab and opens the phone booking panel with this customer. */
export function openPhoneBooking(next: PhoneBookingPrefill): void {
  change(next)
  const isThere = new URLSearchParams(window.location.search).get('tab') === 'appointments'
  if (!isThere) navigateSearch('?tab=appointments')
}

/** The customer to open the phone booking panel with, and a function that clears it once the panel has read it. */
export function usePhoneBookingPrefill(): [
  prefill: PhoneBookingPrefill | undefined,
  clear: () => void,
] {
  const current = useSyncExternalStore(subscribe, () => prefill)
  return [current, clear]
}

const clear = () => change(undefined)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
