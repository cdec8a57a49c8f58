import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

const done = z.object({ ok: z.literal(true) })

/**
 * The endpoints of the sample week: a week of invented customers for trying out the dashboard
 * (docs/product.md 11.10).
 */
export const sampleWeekEndpoints = {
  /** Adds the sample week; changes nothing when the sample week already exists. */
  fill: { method: 'POST', path: '/api/sample-week', rights: 'owner', response: done },
  remove: { method: 'POST', path: '/api/sample-week/remove', rights: 'owner', response: done },
} satisfies Record<string, Endpoint>
