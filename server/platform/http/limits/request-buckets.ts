import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressGroup, networkOf } from './client-address.ts'
import { sendTooManyRequests } from './too-many-requests.ts'
import type { Uncounted } from './uncounted-routes.ts'

export type Buckets = {
  /**
   * Takes `tokens` from the bucket of `client`, by default one. If the bucket has too few tokens, takes none and
   * returns the seconds to wait.
   */
  consume(client: string, tokens?: number): number | undefined
}

/**
 * Creates token buckets in memory. Each bucket contains at most the tokens for `perMinute` requests and refills
 * evenly. The buckets are cheap and imprecise, so they only limit floods of requests. `now` returns milliseconds.
 * Above `maxClients`, the least recently used bucket is deleted.
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
      // Moves the bucket to the end of the map, so that the order of the map is the order of last use.
      buckets.delete(client)
      const isEmpty = tokens < wanted
      buckets.set(client, { tokens: isEmpty ? tokens : tokens - wanted, at })
      if (buckets.size > maxClients) buckets.delete(buckets.keys().next().value ?? '')
      return isEmpty ? Math.ceil((wanted - tokens) / perMs / 1000) : undefined
    },
  }
}

/**
 * A provider assigns a /48 network of IPv6 addresses to one customer. All clients in this network together may send
 * this many times the requests that one client may send.
 */
const clientsOfSite = 4

/**
 * Creates buckets for the IP addresses of clients and for the IPv6 /48 networks around them, because one customer with
 * a /48 has 65,536 client networks. The neighbors of an IPv4 address are different customers, so their network has no
 * bucket.
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

/** Takes tokens for a request from the buckets of its client (see `Buckets`). */
export type RequestBuckets = {
  consume(request: FastifyRequest, tokens?: number): number | undefined
}

type RequestBucketsOptions = {
  readonly perMinute: number
  readonly now: () => number
  /**
   * Returns the open sign-in session of staff to which a request belongs; undefined for other requests. Each of these
   * sessions has its own bucket, so that a flood of requests from the shop's IP address does not block staff.
   */
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
    /**
     * The reason why the flood limit (the limit on the requests of each client) does not count the requests of this
     * route.
     */
    uncounted?: Uncounted
  }
}

/** Takes a token for every request, even if no route matches, except for the routes in `uncounted-routes.ts`. */
export function limitFloods(app: FastifyInstance, buckets: RequestBuckets): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.uncounted !== undefined) return undefined
    const wait = buckets.consume(request)
    return wait === undefined ? undefined : sendTooManyRequests(request, reply, wait)
  })
}
