import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'

/** A payment also changes the estimate, the state of the vehicle and the money of Today. */
const keys = ['invoices', 'estimates', 'bookings', 'tasks', 'today']

/** Reads invoices again as soon as one was made, paid, voided or emailed about (docs/product.md 2.11). */
export function useLiveInvoices(): void {
  useRefetchOnLiveEvent('invoices', keys)
}
