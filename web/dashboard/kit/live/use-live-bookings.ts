import { useMemo } from 'react'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/**
 * Refetches the data under a query key as soon as another window, a visitor or a background job of the server changes
 * an appointment (docs/product.md 12.7).
 */
export function useLiveBookings(queryKey = 'bookings'): void {
  useRefetchOnLiveEvent(
    'bookings',
    useMemo(() => [queryKey], [queryKey]),
  )
}
