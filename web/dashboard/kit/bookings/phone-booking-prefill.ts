import { useMatches, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'

/** The customer for whom the phone booking panel opens. */
export type PhoneBookingPrefill =
  | { readonly kind: 'known'; readonly name: string; readonly phone: string | null }
  /** The search text that staff typed, if it matched no customer. */
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

/**
 * Returns the function that opens the phone booking panel for a customer. If the current page shows no appointments,
 * the function first opens the appointments page.
 */
export function useOpenPhoneBooking(): (
  next: PhoneBookingPrefill,
  options?: { replace: boolean },
) => void {
  const navigate = useNavigate()
  const today = useShopToday()
  const isThere = useMatches({
    select: (matches) => matches.some(({ routeId }) => routeId === '/appointment-views'),
  })
  const { date } = useParams({ strict: false })
  const { day = date ?? today } = useSearch({ strict: false })
  return (next, { replace } = { replace: false }) => {
    change(next)
    if (isThere) {
      const book = day < today ? today : day
      void navigate({
        to: '.',
        search: (now: object) => ({ ...now, panel: undefined, book }),
        replace,
      })
    } else void navigate({ to: '/appointments', search: { book: today }, replace })
  }
}

/**
 * Returns the customer for whom the phone booking panel opens, and the function with which the panel deletes the stored
 * customer after reading it.
 */
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
