import type { FastifyRequest } from 'fastify'
import {
  addressGroup,
  createNetworkHash,
  networksAround,
} from '#server/platform/http/limits/client-address.ts'

type Options = {
  /** The key with which the IP addresses of clients are hashed; the database contains only the hashes. */
  readonly addressKey: string
  /** Whether rate limits apply. If false, the limits in the database are disabled too. */
  readonly isEnforced: boolean
  /**
   * If true, a job of this process links visitors' bookings to customers; if false, a database trigger links them at
   * the insert.
   */
  readonly linksLater?: boolean | undefined
}

/**
 * The headers that the site's forms send. Database triggers read these headers; no other header of the client is
 * passed to the database.
 */
export const formHeaders = ['x-form-token', 'x-form-website']
const maxHeaderLength = 1_000

/**
 * Creates the function that returns the headers that the database may read for a request (`request.headers`). These are
 * the form headers of the client, and headers of this server with a keyed hash of the client's IP address.
 */
export function createDatabaseHeaders(
  options: Options,
): (request: FastifyRequest) => Readonly<Record<string, string>> {
  const hashOf = createNetworkHash(options.addressKey)
  const { isEnforced, linksLater } = options
  return (request) => {
    const passed = formHeaders.flatMap((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value.slice(0, maxHeaderLength)] as const] : []
    })
    return {
      ...Object.fromEntries(passed),
      'x-client-address-hash': hashOf(addressGroup(request.ip)),
      ...(insertsRows(request) ? networkHashes(request.ip, hashOf) : {}),
      ...(linksLater && insertsRows(request) ? { 'x-links-later': 'yes' } : {}),
      ...(isEnforced ? {} : { 'x-rate-limits': 'off' }),
    }
  }
}

/**
 * Whether a request inserts rows. The database needs hashes of the client's networks for inserts only, because it
 * counts new bookings per network. The result depends on the matched route and not on the URL, because a client can
 * write any text into a URL.
 */
function insertsRows({ method, routeOptions }: FastifyRequest): boolean {
  const canInsert = method === 'POST' || method === 'PUT'
  return canInsert && routeOptions.url !== '/rest/v1/rpc/:function'
}

function networkHashes(
  address: string,
  hashOf: (network: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    networksAround(address).map(({ bits, network }) => [`x-client-${bits}-hash`, hashOf(network)]),
  )
}
