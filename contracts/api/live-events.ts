import * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'

/**
 * Server-sent events about changed records (HTML standard, 9.2), open while the browser is connected and signed in.
 * When too many connections are open, the request is refused (BUSY); an EventSource does not repeat it automatically.
 */
export const liveEndpoint = {
  method: 'GET',
  path: '/api/admin/live',
  caller: 'admin',
} satisfies Endpoint

/** The events by name with the JSON of their data. They contain only ids: the browser reads the records itself. */
export const liveEvents = {
  /** Sent at the start and whenever events may have been lost: the browser reads all shown data again. */
  refetch: z.object({}),
  /** Appointments that changed, and their new history entries (ids of booking_events). */
  bookings: z.object({ bookings: z.array(z.string()), events: z.array(z.int()) }),
  /** Estimates that changed, were sent, seen, approved or declined. */
  estimates: z.object({ estimates: z.array(z.string()) }),
  /** Invoices that were created, paid, voided or emailed. */
  invoices: z.object({ invoices: z.array(z.string()) }),
  /** Quote requests that were created, changed, emailed about or deleted. */
  quotes: z.object({ quotes: z.array(z.string()) }),
  /**
   * Customers whose contact details, vehicles, notes or invoices changed, and customers that were merged, split or
   * erased.
   */
  customers: z.object({ customers: z.array(z.string()) }),
  /** Sections of the settings that changed. */
  settings: z.object({ sections: z.array(z.string()) }),
}
export type LiveEvents = {
  readonly [Name in keyof typeof liveEvents]: z.output<(typeof liveEvents)[Name]>
}
