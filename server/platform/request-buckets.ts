import type { FastifyInstance } from 'fastify'
import { addressGroup } from './client-address.ts'
import { answerTooManyRequests } from './too-many-requests.ts'

export type Buckets = {
  /** Counts a request of `client`; returns the seconds to wait when its bucket is empty. */
  take(client: string): number | undefined
}

/**
 * Token buckets in memory: each holds `perMinute` requests and refills evenly. Cheap and rough, for
 * floods only; `now` is in milliseconds. The clients seen longest ago are forgotten beyond `maxClients`.
 */
export function createBuckets(perMinute: number, now: () => number, maxClients = 20_000): Buckets {
  const perMs = perMinute / 60_000
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(client) {
      const at = now()
      const known = buckets.get(client)
      const tokens = known
        ? Math.min(perMinute, known.tokens + Math.max(0, at - known.at) * perMs)
        : perMinute
      // Set anew, so that the map's order is the order of last use.
      buckets.delete(client)
      const isEmpty = tokens < 1
      buckets.set(client, { tokens: isEmpty ? tokens : tokens - 1, at })
      if (buckets.size > maxClients) buckets.delete(buckets.keys().next().value ?? '')
      return isEmpty ? Math.ceil((1 - tokens) / perMs / 1000) : undefined
    },
  }
}

const dynamic = /^\/(api|rest|auth|functions|sandbox)\//

/** One bucket for everything that costs the database something; pages and assets are free. */
export function limitFloods(app: FastifyInstance, buckets: Buckets): void {
  app.addHook('onRequest', async (request, reply) => {
    // The route that was found, not the address as it was written: `/%72est` leads to `/rest`.
    if (!dynamic.test(request.routeOptions.url ?? request.url)) return undefined
    const wait = buckets.take(addressGroup(request.ip))
    return wait === undefined ? undefined : answerTooManyRequests(request, reply, wait)
  })
}
