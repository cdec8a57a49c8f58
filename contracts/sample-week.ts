import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

const done = z.object({ ok: z.literal(true) })

/** A week of invented customers, to try everything with (docs/product.md 11.10). */
export const sampleWeekEndpoints = {
  /** Does nothing to a week that is there already. */
  fill: { method: 'POST', path: '/api/sample-week', caller: 'admin', response: done },
  remove: { method: 'POST', path: '/api/sample-week/remove', caller: 'admin', response: done },
} satisfies Record<string, Endpoint>
