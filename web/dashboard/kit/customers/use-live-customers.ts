import { useLiveBookings } from '#web/dashboard/kit/live/use-live-bookings.ts'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** The first element of every query key under which the cache stores customers and vehicles. */
export const customersKey = 'customers'
const keys = [customersKey]

/** Refetches customers and vehicles when any window changes their data (docs/product.md 16.10). */
export function useLiveCustomers(): void {
  useLiveBookings(customersKey)
  useRefetchOnLiveEvent('customers', keys)
  useRefetchOnLiveEvent('estimates', keys)
}
