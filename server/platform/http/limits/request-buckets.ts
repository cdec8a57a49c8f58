import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressGroup, networkOf } from './client-address.ts'
import { sendTooManyRequests } from './too-many-requests.ts'
import type { Uncounted } from './uncounted-routes.ts'

export type Buckets = {
  /**
   * Takes `tokens` of `client`, one for an ordinary request; takes none and returns the seconds to wait
   * when there are not as many.
   */
  consume(client: string, tokens?: number): number | undefined
}

/**
 * Token buckets in memory: each holds the tokens of `perMinute` requests and refills evenly. Cheap and rough, for
 * floods only; `now` is in milliseconds. The clients seen longest ago are forgotten beyond `maxClients`.
 */
export function createBuckets(perMinute: number, now: () => number, maxClients = 20_000): Buckets {
  const perMs = perMinute / 60_000
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    consume(client, wanted = 1) {
      const at = now()
      const bucket = buckets.get(client)
      const tokens = bucket
        ? Math.min(perMinute, bucket.tokens + Math.max(0, at - bucket.at) * perMs)
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
    consume: (address, tokens) =>
      clients.consume(addressGroup(address), tokens) ??
      sites.consume(networkOf(address, { ipv4: 32, ipv6: 48 }), tokens),
  }
}

/** Takes tokens for a request as `Buckets` do for a client. */
export type RequestBuckets = {
  consume(request: FastifyRequest, tokens?: number): number | undefined
}

type RequestBucketsOptions = {
  readonly perMinute: number
  readonly now: () => number
  /** Names the live staff session of a request, which counts for itself: a flood from the shop's own address misses it. */
  readonly sessionOf: (request: FastifyRequest) => string | undefined
}

export function createRequestBuckets({
  perMinute,
  now,
  sessionOf,
}: RequestBucketsOptions): RequestBuckets {
  const addresses = createAddressBuckets(perMinute, now)
  const sessions = createBuckets(perMinute, now)
  return {
    consume(request, tokens) {
      const session = sessionOf(request)
      return session === undefined
        ? addresses.consume(request.ip, tokens)
        : sessions.consume(session, tokens)
    },
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why no bucket pays for the requests of this route. */
    uncounted?: Uncounted
  }
}

/** Every request takes a token, also one that no route answers; the exceptions are those of `uncounted-routes.ts`. */
export function limitFloods(app: FastifyInstance, buckets: RequestBuckets): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.uncounted !== undefined) return undefined
    const wait = buckets.consume(request)
    return wait === undefined ? undefined : sendTooManyRequests(request, reply, wait)
  })
}
