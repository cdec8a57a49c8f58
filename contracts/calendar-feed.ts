import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

const feed = z.object({
  ok: z.literal(true),
  /** Where calendars read the appointments; whoever has it reads them. Null while there is none. */
  url: z.nullable(z.string()),
})

/** The owner's calendar of all appointments to come (docs/product.md 14.9). Each answers with the address as it is then. */
export const calendarFeedEndpoints = {
  read: { method: 'GET', path: '/api/calendar-feed', caller: 'admin', response: feed },
  /** The address before stops answering. */
  renew: { method: 'POST', path: '/api/calendar-feed/renew', caller: 'admin', response: feed },
  end: { method: 'POST', path: '/api/calendar-feed/disable', caller: 'admin', response: feed },
} satisfies Record<string, Endpoint>
