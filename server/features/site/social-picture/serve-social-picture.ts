import type { FastifyInstance } from 'fastify'
import { cityAndState, type CurrentShop } from '#domain/shop/shop.ts'
import { matchesEtag } from '#server/platform/http/pages/etag.ts'
import { drawSocialPicture, type SocialPicture } from './social-picture.ts'

/**
 * Serves /social.png, a picture with the current shop details. The picture is drawn at the first request after a change
 * of these details, in about a tenth of a second, and then cached.
 */
export function serveSocialPicture(app: FastifyInstance, currentShop: CurrentShop): void {
  let cached: { readonly of: string; readonly picture: SocialPicture } | undefined
  const current = (): SocialPicture => {
    const shop = currentShop()
    const of = JSON.stringify([shop.name, shop.tagline, cityAndState(shop)])
    if (cached?.of !== of) cached = { of, picture: drawSocialPicture(shop) }
    return cached.picture
  }
  app.get(
    '/social.png',
    { config: { rights: 'public', uncounted: 'static file' } },
    (request, reply) => {
      const { bytes, etag } = current()
      reply.headers({ etag, 'cache-control': 'public, max-age=3600' })
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type('image/png').send(bytes)
    },
  )
}
