import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { calendarFeedEndpoints } from '#contracts/calendar-feed.ts'
import { accepted } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import { matchesEtag } from '#server/platform/http/pages/etag.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { disableFeed, isFeedToken, readFeedPath, renewFeed } from './feed-url.ts'
import { listFeed } from './list-feed.ts'
import { renderFeed } from './render-feed.ts'

type Dependencies = {
  readonly database: Database
  readonly currentShop: CurrentShop
  /** The public URL of the site, for calendar clients. */
  readonly publicUrl: string
}

/** The rate limit per IP address, enough for six devices that each request the feed once a minute. */
const limit = { name: 'calendar-feed', max: 60, windowSeconds: 600 }

/** Routes for the owner's calendar feed of upcoming appointments and for its secret URL (docs/product.md 14.9). */
export function registerCalendarFeed(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, currentShop, publicUrl } = dependencies
  const present = (path: string | null) =>
    ({ ok: true, url: path === null ? null : new URL(path, publicUrl).href }) as const
  serve(app, calendarFeedEndpoints.read).with({
    handle: async () => accepted(await readFeedPath(database)),
    present,
  })
  serve(app, calendarFeedEndpoints.renew).with({
    handle: async () => accepted(await renewFeed(database)),
    present,
  })
  serve(app, calendarFeedEndpoints.end).with({
    handle: async () => accepted(await disableFeed(database)),
    present,
  })

  app.get(
    '/calendar/:file',
    { config: { rights: 'link', limit: [limit] } },
    async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
      const [, token = ''] = /^([\w-]{43})\.ics$/.exec(request.params.file) ?? []
      void reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
      if (!(await isFeedToken(database, token))) return reply.code(404).send('No such calendar.')
      const calendar = renderFeed(currentShop(), await listFeed(database))
      const version = `"${createHash('sha256').update(calendar).digest('base64url')}"`
      void reply.header('etag', version)
      if (matchesEtag(request.headers['if-none-match'], version)) return reply.code(304).send()
      return reply.type('text/calendar; charset=utf-8').send(calendar)
    },
  )
}
