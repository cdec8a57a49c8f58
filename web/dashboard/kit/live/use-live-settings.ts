import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** Bays, hours and services change what the day shows, too. */
const keys = ['settings', 'settings_history', 'bookings', 'services']

/** Reads settings and their history again as soon as somebody changed one (docs/product.md 12.7). */
export function useLiveSettings(): void {
  useRefetchOnLiveEvent('settings', keys)
}
