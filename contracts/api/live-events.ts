import * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'

/**
 * What changes, as it changes: server-sent events (HTML standard, 9.2) for as long as the browser listens and is signed
 * in. Where too many listen already it is refused (BUSY), which an EventSource does not try again by itself.
 */
export const liveEndpoint = {
  method: 'GET',
  path: '/api/admin/live',
  caller: 'admin',
} satisfies Endpoint

/** The events by name, with what their data says as JSON. Ids only: whoever hears of them asks. */
export const liveEvents = {
  /** At the beginning, and whenever something may have been missed: what is shown is to be read again. */
  refetch: z.object({}),
  /** Appointments that changed, and the lines of their stories (booking_events) that tell how. */
  bookings: z.object({ bookings: z.array(z.string()), events: z.array(z.int()) }),
  /** Estimates that changed, were handed over, seen or answered. */
  estimates: z.object({ estimates: z.array(z.string()) }),
  /** Invoices that were made, paid, voided or emailed about. */
  invoices: z.object({ invoices: z.array(z.string()) }),
  /** Quote requests that came, changed, were emailed about or were deleted. */
  quotes: z.object({ quotes: z.array(z.string()) }),
  /** People whose contact, cars, notes or invoices changed, and who were merged, split or erased. */
  customers: z.object({ customers: z.array(z.string()) }),
  /** Sections of the settings that changed. */
  settings: z.object({ sections: z.array(z.string()) }),
}
export type LiveEvents = {
  readonly [Name in keyof typeof liveEvents]: z.output<(typeof liveEvents)[Name]>
}
