import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** A payment also changes the estimate, the state of the vehicle and the payments on Today. */
const keys = ['invoices', 'estimates', 'bookings', 'tasks', 'today']

/** Refetches invoices as soon as one is created, paid, voided or emailed (docs/product.md 2.11). */
export function useLiveInvoices(): void {
  useRefetchOnLiveEvent('invoices', keys)
}
