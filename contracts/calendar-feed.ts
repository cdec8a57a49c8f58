import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

const feed = z.object({
  ok: z.literal(true),
  /** The URL of the feed. Everyone who knows it can read the appointments. Null while the feed is switched off. */
  url: z.nullable(z.string()),
})

/** The owner's calendar feed of all future appointments (docs/product.md 14.9). Each call returns the current URL. */
export const calendarFeedEndpoints = {
  read: { method: 'GET', path: '/api/calendar-feed', caller: 'admin', response: feed },
  /** Creates a new URL; the previous one stops working. */
  renew: { method: 'POST', path: '/api/calendar-feed/renew', caller: 'admin', response: feed },
  end: { method: 'POST', path: '/api/calendar-feed/disable', caller: 'admin', response: feed },
} satisfies Record<string, Endpoint>
