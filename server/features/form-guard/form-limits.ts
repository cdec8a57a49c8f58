import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathParameter } from '#server/platform/http/path-parameter.ts'
import { networkOf } from '#server/platform/http/limits/client-address.ts'
import type { Limit, RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { sendTooManyRequests } from '#server/platform/http/limits/too-many-requests.ts'
import type { Authenticate } from '@local/data-service'

type Dependencies = { readonly limits: RateLimits; readonly authenticate: Authenticate }

const formTables = new Set(['bookings', 'quote_requests'])

/**
 * Limits the bookings and quote requests from one client and from its networks. A request with several rows counts once
 * per row. The limits do not apply to signed-in staff, who enter bookings and quote requests from phone calls.
 */
export function limitForms(app: FastifyInstance, { limits, authenticate }: Dependencies): void {
  app.addHook('preHandler', async (request, reply) => {
    const table = request.method === 'POST' ? relationOf(request) : undefined
    if (table === undefined || !formTables.has(table)) return undefined
    const caller = await authenticate(request)
    if (!caller.ok || caller.identity.role !== 'anon') return undefined
    const wait = await limits.consume(request, formLimits(table))
    return wait === undefined ? undefined : sendTooManyRequests(request, reply, wait)
  })
}

/** Reads the table name from the matched route, because a URL can encode a table name in many ways (`%62ookings`). */
function relationOf(request: FastifyRequest): string | undefined {
  if (request.routeOptions.url !== '/rest/v1/:relation') return undefined
  return pathParameter(request, 'relation')
}

/**
 * The maximum number of bookings or quote requests from one client, and from each network around the client, in ten
 * minutes and in a day. An internet provider assigns up to an IPv6 /48 to one customer (RFC 6177), so a client who
 * changes IP addresses within a /48 does not bypass the limit. Larger networks have a higher limit, because more
 * clients share them; a shop with one bay receives about twenty bookings a day.
 */
const networks = [
  { ipv4: 32, ipv6: 64, perTenMinutes: 10, perDay: 30 },
  { ipv4: 24, ipv6: 56, perTenMinutes: 15, perDay: 40 },
  { ipv4: 24, ipv6: 48, perTenMinutes: 20, perDay: 60 },
] as const

function formLimits(table: string): Limit[] {
  return networks.flatMap(({ perTenMinutes, perDay, ...prefix }) => {
    const name = `${table} /${prefix.ipv6}`
    const subject = ({ ip }: FastifyRequest) => networkOf(ip, prefix)
    return [
      { name, max: perTenMinutes, windowSeconds: 600, cost: countRows, subject },
      { name, max: perDay, windowSeconds: 86_400, cost: countRows, subject },
    ]
  })
}

function countRows(request: FastifyRequest): number {
  const { body } = request
  if (typeof body !== 'string' || !/^\s*\[/.test(body)) return 1
  try {
    const rows: unknown = JSON.parse(body)
    return Array.isArray(rows) ? Math.max(1, rows.length) : 1
  } catch {
    return 1
  }
}
