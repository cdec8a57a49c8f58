import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** Bays, hours and services also change the day view. */
const keys = ['settings', 'settings_history', 'bookings', 'services']

/** Refetches settings and their history as soon as a team member changes one (docs/product.md 12.7). */
export function useLiveSettings(): void {
  useRefetchOnLiveEvent('settings', keys)
}
