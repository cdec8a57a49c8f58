import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CustomerPage, MessagePage } from '#contracts/api/customer-pages.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { pathParameter } from '#server/platform/http/path-parameter.ts'
import type { SendCustomerPage } from '#server/platform/http/pages/customer-pages.ts'
import type { Limit, RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { isCrossSite } from './actions/is-cross-site.ts'

/**
 * Headers of pages that only the recipient of a link may see. Browsers do not store such pages and send no referrer from
 * them, and search engines do not index them.
 */
const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const

/** The dependencies of all pages that customers open with a secret link. */
export type LinkPageContext = {
  readonly limits: RateLimits
  readonly sendCustomerPage: SendCustomerPage
  readonly currentShop: CurrentShop
  readonly publicUrl: string
}

type LinkRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: Record<string, unknown>
}>

/**
 * What a route handler receives after the token was verified: the request, the reply and the id of the record that the
 * link opens.
 */
export type OpenedLink = {
  readonly id: string
  /** The URL path of the page, such as '/visit/<token>'. */
  readonly path: string
  readonly request: LinkRequest
  readonly reply: FastifyReply
}

/**
 * A kind of page that customers open with secret links, such as the visit page. `root` is the URL path before the
 * token, and `name` identifies the rate limits of these pages.
 */
type PrivatePage<Serving, Shown> = {
  readonly name: string
  readonly root: string
  /** The page for an invalid link; by default the page about invalid booking and estimate links. */
  readonly invalidPage?: MessagePage['name']
  readonly idOf: (serving: Serving, token: string) => Promise<string | undefined>
  readonly read: (serving: Serving, id: string) => Promise<Shown | undefined>
}

/**
 * Creates the route handlers of a page that is opened with secret links. Views and actions have separate rate limits,
 * each per client and per link.
 */
export function createLinkPages<Serving extends LinkPageContext, Shown>(
  page: PrivatePage<Serving, Shown>,
) {
  const looking = countedAs(page.name, 120)
  const acting = countedAs(`change ${page.name}`, 30)
  return {
    /**
     * Creates the handler of a route that changes the linked record. The handler verifies the link, and each request
     * counts toward the limit on changes.
     */
    actionHandler:
      (serving: Serving, serve: (opened: OpenedLink) => Promise<FastifyReply>) =>
      async (request: LinkRequest, reply: FastifyReply) => {
        const opened = await open(page, serving, acting, { request, reply })
        if (!opened) return reply
        if (isCrossSite(request, serving.publicUrl)) return reply.code(403).send('')
        return serve(opened)
      },
    /**
     * Creates the handler of a route that only shows a page. The handler verifies the link, and each request counts
     * toward the limit on views.
     */
    pageHandler:
      (
        serving: Serving,
        serve: (shown: Shown, opened: OpenedLink) => FastifyReply | Promise<FastifyReply>,
      ) =>
      async (request: LinkRequest, reply: FastifyReply) => {
        const opened = await open(page, serving, looking, { request, reply })
        if (!opened) return reply
        const shown = await page.read(serving, opened.id)
        return shown ? serve(shown, opened) : sendInvalidLink(serving, reply, page.invalidPage)
      },
  }
}

/** Returns two limits: `max` requests in ten minutes from one client, and twice as many with one link. */
function countedAs(name: string, max: number): readonly Limit[] {
  return [
    { name, max, windowSeconds: 600 },
    {
      name: `${name} by link`,
      max: 2 * max,
      windowSeconds: 600,
      subject: (request) => pathParameter(request, 'token'),
    },
  ]
}

export function sendPage(
  { sendCustomerPage, currentShop }: LinkPageContext,
  reply: FastifyReply,
  page: CustomerPage,
): FastifyReply {
  return sendCustomerPage(reply, currentShop(), page)
}

/** Sends the error page for an invalid link. All invalid links to one kind of page get the same response. */
export function sendInvalidLink(
  serving: LinkPageContext,
  reply: FastifyReply,
  name: MessagePage['name'] = 'invalid_link',
): FastifyReply {
  return sendPage(serving, reply.code(404), { name })
}

/**
 * Verifies a link and returns the id of its record. Sends an error page and returns undefined if the link is invalid or
 * a rate limit is reached. Counts the request before checking the token, so that the response time does not distinguish
 * a forged token from one that a newer link replaced.
 */
async function open<Serving extends LinkPageContext, Shown>(
  { root, idOf, invalidPage }: PrivatePage<Serving, Shown>,
  serving: Serving,
  most: readonly Limit[],
  exchange: Pick<OpenedLink, 'request' | 'reply'>,
): Promise<OpenedLink | undefined> {
  const { request, reply } = exchange
  void reply.headers(privateHeaders)
  const wait = await serving.limits.consume(request, most)
  if (wait !== undefined) {
    void reply.code(429).header('retry-after', String(wait))
    sendPage(serving, reply, { name: 'too_often' })
    return undefined
  }
  const { token } = request.params
  const id = await idOf(serving, token)
  if (id !== undefined) return { id, path: `${root}/${token}`, ...exchange }
  sendInvalidLink(serving, reply, invalidPage)
  return undefined
}
