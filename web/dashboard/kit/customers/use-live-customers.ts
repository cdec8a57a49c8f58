import { useLiveBookings } from '#web/dashboard/kit/live/use-live-bookings.ts'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** What is read about people and cars begins with this query key. */
export const customersKey = 'customers'
const keys = [customersKey]

/** Reads people and cars again as soon as something of theirs was written, in whatever window (docs/product.md 16.10). */
export function useLiveCustomers(): void {
  useLiveBookings(customersKey)
  useRefetchOnLiveEvent('customers', keys)
  useRefetchOnLiveEvent('estimates', keys)
}
