import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import { formOf, acceptFormBodies } from '#server/platform/http/pages/form-bodies.ts'
import type { CustomerPage } from '#contracts/api/customer-pages.ts'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { isCrossSite } from '#server/features/visit-page/actions/is-cross-site.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { SendCustomerPage } from '#server/platform/http/pages/customer-pages.ts'
import type { Limit, RateLimits } from '#server/platform/http/limits/rate-limits.ts'

type Dependencies = {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly limits: RateLimits
  readonly sendCustomerPage: SendCustomerPage
  /** The public URL of the site. */
  readonly publicUrl: string
}

/** The maximum length of an email address: the limit of RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const longestAddress = 254

/**
 * Limits on requests for the email with links to visit pages, per client and for the whole shop. The limit for the
 * whole shop prevents many clients together from filling the table of these requests or the mailbox of a customer.
 */
const requestLimits: readonly Limit[] = [
  { name: 'find-booking', max: 5, windowSeconds: 600 },
  { name: 'find-booking per day', max: 20, windowSeconds: 86_400 },
  { name: 'find-booking in total', max: 300, windowSeconds: 3600, subject: () => 'shop' },
]

/** Serves /visit, where a customer requests an email with the links to their appointments (docs/product.md 14.10). */
export async function registerVisitLinks(app: FastifyInstance, dependencies: Dependencies) {
  const { database, currentShop, limits, sendCustomerPage, publicUrl } = dependencies
  const send = (reply: FastifyReply, page: CustomerPage) =>
    sendCustomerPage(reply.header('cache-control', 'no-store'), currentShop(), page)

  async function requestLinks(request: FastifyRequest, reply: FastifyReply) {
    if (isCrossSite(request, publicUrl)) return reply.code(403).send('')
    const email = (formOf(request).get('email') ?? '').trim()
    if (email.length > longestAddress || !isEmailAddress(email)) {
      return send(reply.code(422), { name: 'find_booking', input: email })
    }
    const wait = await limits.consume(request, requestLimits)
    if (wait !== undefined) {
      void reply.code(429).header('retry-after', String(wait))
      return send(reply, { name: 'too_many_link_requests' })
    }
    await database.transaction(asServer, (query) =>
      query('select internal.request_visit_links($1) as done', [email]),
    )
    return send(reply, { name: 'links_sent' })
  }

  await app.register(async (pages) => {
    acceptFormBodies(pages, 1_024)
    declareRoutes(pages, { rights: 'public', limit: 'in handler' })
    pages.get('/visit', (_request, reply) => send(reply, { name: 'find_booking' }))
    pages.post('/visit', (request, reply) => requestLinks(request, reply))
  })
}
