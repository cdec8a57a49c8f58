import * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'

/**
 * Streams server-sent events about changed records (HTML standard, 9.2) while the browser is connected and signed in.
 * The server refuses the request (BUSY) when too many such connections are open; an EventSource does not reconnect
 * after a refusal.
 */
export const liveEndpoint = {
  method: 'GET',
  path: '/api/admin/live',
  rights: 'staff',
  atTablet: true,
} satisfies Endpoint

/**
 * The live events by name, each with the schema of its JSON data. An event contains only ids of records or names of
 * settings sections; the browser then reads the changed data. A technician receives `refetch`, `bookings` and `tasks`
 * without ids, and `settings` only for the sections that affect the technician's day view.
 */
export const liveEvents = {
  /**
   * Sent after the browser connects and whenever the server may have missed events. The browser then reads all records
   * again that it currently shows.
   */
  refetch: z.object({}),
  /** The ids of changed appointments and of their new history entries in `booking_events`. */
  bookings: z.object({ bookings: z.array(z.string()), events: z.array(z.int()) }),
  /** The ids of tasks that were created, changed or deleted, or to which a note was added. */
  tasks: z.object({ tasks: z.array(z.string()) }),
  /** The ids of estimates that were changed, sent, opened by the customer, approved or declined. */
  estimates: z.object({ estimates: z.array(z.string()) }),
  /** The ids of invoices that were created, paid, voided or emailed to a customer. */
  invoices: z.object({ invoices: z.array(z.string()) }),
  /** The ids of new cash movements, day closes and corrections of day closes. */
  cash: z.object({ records: z.array(z.string()) }),
  /** The ids of quote requests that were created, changed, answered by email or deleted. */
  quotes: z.object({ quotes: z.array(z.string()) }),
  /**
   * The ids of customers whose contact details, vehicles, notes or invoices changed, and of customers that were
   * merged, split or erased.
   */
  customers: z.object({ customers: z.array(z.string()) }),
  /** The names of the settings sections in which a setting changed, for example 'hours'. */
  settings: z.object({ sections: z.array(z.string()) }),
}
export type LiveEvents = {
  readonly [Name in keyof typeof liveEvents]: z.output<(typeof liveEvents)[Name]>
}
