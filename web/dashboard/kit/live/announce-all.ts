import type { DashboardLink } from '#web/dashboard/kit/navigation/links.ts'
import { announceRecords } from './announce-records.ts'
import { newBookings } from './new-bookings.ts'
import { newQuotes } from './new-quotes.ts'

/** Announces new bookings and new quote requests until the returned function is called. */
export function announceAll(show: (link: DashboardLink) => void): () => void {
  const stops = [announceRecords(newBookings, show), announceRecords(newQuotes, show)]
  return () => {
    for (const stop of stops) stop()
  }
}
