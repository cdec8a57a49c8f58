import type { FastifyInstance } from 'fastify'
import { addressGroup, networkOf } from './client-address.ts'
import { answerTooManyRequests } from './too-many-requests.ts'

export type Buckets = {
  /**
   * Takes `tokens` of `client`, one for an ordinary request; takes none and returns the seconds to wait
   * when there are not as many.
   */
  take(client: string, tokens?: number): number | undefined
}

/**
 * Token buckets in memory: each holds the tokens of `perMinute` requests and refills evenly. Cheap and rough, for
 * floods only; `now` is in milliseconds. The clients seen longest ago are forgotten beyond `maxClients`.
 */
export function createBuckets(perMinute: number, now: () => number, maxClients = 20_000): Buckets {
  const perMs = perMinute / 60_000
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(client, wanted = 1) {
      const at = now()
      const known = buckets.get(client)
      const tokens = known
        ? Math.min(perMinute, known.tokens + Math.max(0, at - known.at) * perMs)
        : perMinute
      // Set anew, so that the map's order is the order of last use.
      buckets.delete(client)
      const isEmpty = tokens < wanted
      buckets.set(client, { tokens: isEmpty ? tokens : tokens - wanted, at })
      if (buckets.size > maxClients) buckets.delete(buckets.keys().next().value ?? '')
      return isEmpty ? Math.ceil((wanted - tokens) / perMs / 1000) : undefined
    },
  }
}

/** How many times the requests of one client a whole IPv6 /48 may send: a provider hands one customer that much. */
const clientsOfSite = 4

/**
 * Buckets of the clients at addresses, and of the IPv6 networks around them: whoever has a /48 has 65,536 clients'
 * addresses. Neighbours of an IPv4 address are other people.
 */
export function createAddressBuckets(perMinute: number, now: () => number): Buckets {
  const clients = createBuckets(perMinute, now)
  const sites = createBuckets(perMinute * clientsOfSite, now)
  return {
    take: (address, tokens) =>
      clients.take(addressGroup(address), tokens) ??
      sites.take(networkOf(address, { ipv4: 32, ipv6: 48 }), tokens),
  }
}

const dynamic = /^\/(api|rest|auth|functions|sandbox|visit)\//

/** One bucket for everything that costs the database something; pages and assets are free. */
export function limitFloods(app: FastifyInstance, buckets: Buckets): void {
  app.addHook('onRequest', async (request, reply) => {
    // The route that was found, not the address as it was written: `/%72est` leads to `/rest`.
    if (!dynamic.test(request.routeOptions.url ?? request.url)) return undefined
    const wait = buckets.take(request.ip)
    return wait === undefined ? undefined : answerTooManyRequests(request, reply, wait)
  })
}
