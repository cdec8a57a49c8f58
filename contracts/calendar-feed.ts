import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

const feed = z.object({
  ok: z.literal(true),
  /**
   * The secret URL of the feed: everyone with this URL can read the appointments. Null while the feed is switched
   * off.
   */
  url: z.nullable(z.string()),
})

/**
 * The endpoints of the calendar feed, in which the owner's calendar program reads all future appointments
 * (docs/product.md 14.9). Each endpoint returns the URL after the call.
 */
export const calendarFeedEndpoints = {
  read: { method: 'GET', path: '/api/calendar-feed', rights: 'admin', response: feed },
  /** Creates a new URL; the previous URL stops working. */
  renew: {
    method: 'POST',
    path: '/api/calendar-feed/renew',
    rights: 'admin',
    stepUp: true,
    response: feed,
  },
  end: {
    method: 'POST',
    path: '/api/calendar-feed/disable',
    rights: 'admin',
    stepUp: true,
    response: feed,
  },
} satisfies Record<string, Endpoint>
